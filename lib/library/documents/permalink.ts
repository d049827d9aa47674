import type { KnowledgeScope } from "@/lib/platform/auth/schema";
import { env } from "@/lib/platform/env";
import { type Quote, quoteRefOf } from "./quote-ref";

/** A page of a document of public_kb that anyone may read, at a quote. */
export function publicSourceUrlOf(documentId: string, quote?: Quote): string {
  return pageUrl(`/sources/${documentId}`, quote);
}

/** A URL that opens a document at a quote. It survives new versions of the text. */
export function permalinkOf(documentId: string, quote?: Quote): string {
  return pageUrl(`/documents/${documentId}`, quote);
}

function pageUrl(path: string, quote: Quote | undefined): string {
  return new URL(quote ? `${path}?quote=${quoteRefOf(quote)}` : path, env.APP_URL).href;
}

interface Source {
  scope?: KnowledgeScope;
  document_id: string | null;
  metadata: Record<string, unknown>;
}

/** The document's own web address, or the quote: on its public page if anyone may read it, otherwise in the console. */
export function sourceUrlOf(source: Source & { document_id: string }, quote?: Quote): string {
  const linkOf = source.scope === "public_kb" ? publicSourceUrlOf : permalinkOf;
  return webAddressOf(source) ?? linkOf(source.document_id, quote);
}

/** The document's own address on the web, if it has one. */
export function webAddressOf({ metadata: { url } }: Source): string | null {
  return typeof url === "string" && /^https?:\/\//.test(url) ? url : null;
}
