import { env } from "@/lib/env";
import { hashOf, placesOfHash, QUOTE_REF, type Quote, quoteRefOf } from "./quote-ref";

/** What a permalink knows of a quote: never its words. */
export interface QuoteRef {
  start: number;
  end: number;
  /** Of the quote's text: 12 hexadecimal digits. */
  hash: string;
}

/**
 * Where a quote stands in a text: `current` where its permalink says, `moved` elsewhere, with its offsets,
 * `changed` when the text does not say it any more.
 */
export type QuotePlace =
  | { status: "current" | "moved"; start: number; end: number }
  | { status: "changed"; start: null; end: null };

/** The address that opens a document in the console at these words. It survives another version of the text. */
export function permalinkOf(documentId: string, quote: Quote): string {
  return new URL(`/documents/${documentId}?quote=${quoteRefOf(quote)}`, env.APP_URL).href;
}

/** The parts of a permalink's `quote`; null for what is none. */
export function parseQuoteRef(ref: string): QuoteRef | null {
  const [, start, end, hash] = QUOTE_REF.exec(ref) ?? [];
  const parsed = { start: Number(start), end: Number(end), hash: hash ?? "" };
  return parsed.end > parsed.start ? parsed : null;
}

/** Finds a quote in a text by its hash, the nearest to where it stood, in one pass over the text. */
export function locateQuote(text: string, { start, end, hash }: QuoteRef): QuotePlace {
  if (end <= text.length && hashOf(text.slice(start, end)) === hash) {
    return { status: "current", start, end };
  }
  let nearest: number | null = null;
  for (const place of placesOfHash(text, end - start, hash)) {
    if (nearest === null || Math.abs(place - start) < Math.abs(nearest - start)) {
      nearest = place;
    }
  }
  return nearest === null
    ? { status: "changed", start: null, end: null }
    : { status: "moved", start: nearest, end: nearest + end - start };
}
