import type { Metadata } from "next";
import type { PublicDocumentView } from "@/lib/documents/read/public";
import { shorten } from "@/lib/text/shorten";

const DESCRIPTION_LENGTH = 200;

/** A public source's metadata. A shared link to a quote shows the quoted words. */
export function describeSource({ document, quote, window }: PublicDocumentView): Metadata {
  const words = quote?.text ?? openingOf(window.text);
  const text = words.replace(/\s+/g, " ").trim();
  const short = shorten(text, DESCRIPTION_LENGTH);
  const description = quote?.text ? `“${short}”` : short;
  const url = `/sources/${document.id}`;
  return {
    title: document.title,
    description,
    alternates: { canonical: url },
    openGraph: { type: "article", title: document.title, description, url },
    twitter: { card: "summary_large_image", title: document.title, description },
  };
}

/** The first paragraph that is longer than a heading. */
function openingOf(text: string): string {
  return text.split(/\n{2,}/).find((paragraph) => paragraph.length > 80) ?? text;
}
