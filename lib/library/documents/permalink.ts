import { env } from "@/lib/platform/env";
import { type Quote, quoteRefOf } from "./quote-ref";

/** A page of a document of public_kb that anyone may read, at a quote. */
export function publicSourceUrlOf(documentId: string, quote: Quote): string {
  return new URL(`/sources/${documentId}?quote=${quoteRefOf(quote)}`, env.APP_URL).href;
}

/** A URL that opens a document at a quote. It survives new versions of the text. */
export function permalinkOf(documentId: string, quote: Quote): string {
  return new URL(`/documents/${documentId}?quote=${quoteRefOf(quote)}`, env.APP_URL).href;
}
