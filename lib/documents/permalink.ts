import { env } from "@/lib/env";
import { hashOf, placesOfHash, QUOTE_REF, type Quote, quoteRefOf } from "./quote-ref";

/** A quote's place and hash. A permalink never contains its words. */
export interface QuoteRef {
  start: number;
  end: number;
  /** 12 hexadecimal digits. */
  hash: string;
}

/** `current`: at its place in the permalink; `moved`: elsewhere; `changed`: no longer in the text. */
export type QuotePlace =
  | { status: "current" | "moved"; start: number; end: number }
  | { status: "changed"; start: null; end: null };

/** A URL that opens a document at a quote. It survives new versions of the text. */
export function permalinkOf(documentId: string, quote: Quote): string {
  return new URL(`/documents/${documentId}?quote=${quoteRefOf(quote)}`, env.APP_URL).href;
}

/** Null if invalid. */
export function parseQuoteRef(ref: string): QuoteRef | null {
  const [, start, end, hash] = QUOTE_REF.exec(ref) ?? [];
  const parsed = { start: Number(start), end: Number(end), hash: hash ?? "" };
  return parsed.end > parsed.start ? parsed : null;
}

/** Finds the place nearest to the original one with the quote's hash, in one pass over the text. */
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
