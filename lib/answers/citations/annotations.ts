import { yieldIfLong } from "@/lib/event-loop";
import type { CitedSpan } from "@/lib/evidence/claims/spans";
import type { CitedSource, SourceQuote, UrlCitation } from "./schema";

/** The address to give to clients for a cited source. */
export type UrlOf = (citation: CitedSource, quote: SourceQuote | null) => string;

interface AnnotationOptions {
  urlOf: UrlOf;
  evidenceOf?: (
    span: CitedSpan,
    citation: CitedSource,
  ) => Pick<UrlCitation["url_citation"], "verification" | "quote">;
}

/**
 * One annotation for each marker of a span whose citation exists. Indexes are the marker's own, `claim` is the cited text.
 * An answer may have thousands, whose quotes are hashed for their links: others run in between.
 */
export async function toAnnotations(
  spans: readonly CitedSpan[],
  citations: readonly CitedSource[],
  { urlOf, evidenceOf }: AnnotationOptions,
): Promise<UrlCitation[]> {
  const byId = new Map(citations.map((citation) => [citation.id, citation]));
  const annotations: UrlCitation[] = [];
  for (const span of spans) {
    await yieldIfLong();
    for (const { id, start, end, isAdded } of span.markers) {
      const citation = byId.get(id);
      if (!citation) {
        continue;
      }
      const evidence = evidenceOf?.(span, citation);
      const url_citation = {
        start_index: start,
        end_index: end,
        title: citation.title,
        url: urlOf(citation, evidence?.quote ?? null),
        citation_id: id,
        claim: { start_index: span.start, end_index: span.end, text: span.text },
        ...(isAdded && { added: true as const }),
        ...(span.isExtended && { extended: true as const }),
        ...(span.path && { path: span.path }),
        ...evidence,
      };
      annotations.push({ type: "url_citation", url_citation });
    }
  }
  return annotations;
}
