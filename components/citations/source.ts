import { KNOWLEDGE_LABELS } from "@/components/keys/labels";
import type { Citation, SourceQuote, UrlCitation } from "@/lib/citations/schema";
import { formatSimilarity } from "./labels";

/** Such as `Public · Page 3 · Treatment · Similarity 0.54`: the passage's location and similarity. */
export function formatPlace(citation: Citation, quote?: SourceQuote | null): string {
  const { metadata } = citation;
  const page = quote?.page ?? numberOf(metadata.page);
  const last = quote?.page ? null : numberOf(metadata.page_end);
  const section = quote?.section ?? textOf(metadata.section);
  return [
    KNOWLEDGE_LABELS[citation.scope]?.name ?? citation.scope,
    page === null ? null : `${last ? "Pages" : "Page"} ${last ? `${page}–${last}` : page}`,
    section,
    `Similarity ${formatSimilarity(citation.similarity)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Codes of warnings about a passage. */
export function warningsOf({ metadata }: Citation): string[] {
  const { warnings } = metadata;
  return Array.isArray(warnings) ? warnings.filter((code) => typeof code === "string") : [];
}

/** The quotes from each source, without duplicates, in document order. */
export function quotesBySource(annotations: readonly UrlCitation[]): Map<number, SourceQuote[]> {
  const quotes = new Map<number, SourceQuote[]>();
  for (const { url_citation: at } of annotations) {
    const known = quotes.get(at.citation_id) ?? [];
    const isNew = at.quote && !known.some(({ permalink }) => permalink === at.quote?.permalink);
    quotes.set(at.citation_id, at.quote && isNew ? [...known, at.quote] : known);
  }
  for (const found of quotes.values()) {
    found.sort((a, b) => a.char_start - b.char_start);
  }
  return quotes;
}

/** Whether the answer cites a source; null until known. */
export function isCited(
  { id, metadata }: Citation,
  annotations: readonly UrlCitation[] | undefined,
): boolean | null {
  if (typeof metadata.cited === "boolean") {
    return metadata.cited;
  }
  return annotations?.some(({ url_citation }) => url_citation.citation_id === id) ?? null;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value ? value : null;
}
