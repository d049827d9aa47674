import { annotate } from "@/lib/citations/annotate";
import type { Citation, UrlCitation } from "@/lib/citations/schema";
import { env } from "@/lib/env";

/** The annotations of an answer; a document without a web address of its own is named by ours. */
export function annotationsOf(text: string, citations: readonly Citation[]): UrlCitation[] {
  return annotate(text, citations, ({ metadata, document_id }) =>
    typeof metadata.url === "string" && /^https?:\/\//.test(metadata.url)
      ? metadata.url
      : new URL(`/v1/kb/documents/${document_id}`, env.APP_URL).href,
  );
}
