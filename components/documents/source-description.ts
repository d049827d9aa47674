import type { Metadata } from "next";
import { quoteRefOf } from "@/lib/library/documents/quote-ref";
import type { PublicDocumentView } from "@/lib/library/documents/read/public";
import { shorten } from "@/lib/text/shorten";

const DESCRIPTION_LENGTH = 200;
export const CARD_SIZE = { width: 1200, height: 630 };
const CARD_LENGTH = 260;
/** What the card's typeface has. Letters of others would be fetched from a server on the internet. */
const LATIN = /^[\u0020-\u007e\u00a0-\u024f\u2010-\u2027\u2030-\u203a\u20ac\u2264\u2265]*$/;

/** A public source's metadata. A shared link to a quote shows the quoted words. */
export function describeSource({ document, quote, window }: PublicDocumentView): Metadata {
  const words = quote?.text ?? openingOf(window.text);
  const text = words.replace(/\s+/g, " ").trim();
  const short = shorten(text, DESCRIPTION_LENGTH);
  const description = quote?.text ? `“${short}”` : short;
  const url = `/sources/${document.id}`;
  const images = [imageOf(url, quote)];
  return {
    title: document.title,
    description,
    alternates: { canonical: url },
    openGraph: { type: "article", title: document.title, description, url, images },
    twitter: { card: "summary_large_image", title: document.title, description, images },
  };
}

/** The quoted words, or the product's own image. */
function imageOf(url: string, quote: PublicDocumentView["quote"]) {
  const words = cardWords(quote?.text);
  if (!words || !quote?.text || quote.char_start === null || quote.char_end === null) {
    return { ...CARD_SIZE, url: "/opengraph-image.png", alt: "Footnote" };
  }
  const ref = quoteRefOf({ text: quote.text, start: quote.char_start, end: quote.char_end });
  return { ...CARD_SIZE, url: `${url}/card.png?quote=${ref}`, alt: words };
}

/** The words of a card; null if there are none, or if its typeface lacks their letters. */
export function cardWords(text: string | null | undefined): string | null {
  const words = shorten((text ?? "").replace(/\s+/g, " ").trim(), CARD_LENGTH);
  return words && LATIN.test(words) ? words : null;
}

/** The first paragraph that is longer than a heading. */
function openingOf(text: string): string {
  return text.split(/\n{2,}/).find((paragraph) => paragraph.length > 80) ?? text;
}
