import type { PlacedMarker } from "@/lib/citations/markers/tape";
import type { Citation, UrlCitation } from "@/lib/citations/schema";
import { spansOf, toAnnotations } from "@/lib/citations/spans";
import { env } from "@/lib/env";

/** The annotations of a guarded answer; a document without a web address of its own is named by ours. */
export function annotationsOf(
  text: string,
  markers: readonly PlacedMarker[],
  citations: readonly Citation[],
): UrlCitation[] {
  return toAnnotations(spansOf(text, markers), citations, ({ metadata, document_id }) =>
    typeof metadata.url === "string" && /^https?:\/\//.test(metadata.url)
      ? metadata.url
      : new URL(`/v1/kb/documents/${document_id}`, env.APP_URL).href,
  );
}
