import { env } from "@/lib/env";
import { type Quote, quoteRefOf } from "./quote-ref";

/** A URL that opens a document at a quote. It survives new versions of the text. */
export function permalinkOf(documentId: string, quote: Quote): string {
  return new URL(`/documents/${documentId}?quote=${quoteRefOf(quote)}`, env.APP_URL).href;
}
