import type {
  Citation,
  SourceQuote,
  UrlCitation,
  Verification,
} from "@/lib/answers/citations/schema";

/** What an answer says about its sources; both are absent while it streams. */
export interface AnswerSources {
  annotations?: readonly UrlCitation[] | undefined;
  verification?: Verification | undefined;
}

/**
 * The passage to show for an answer that has none to offer: the one it names, or else the best found. Null when the
 * answer cites several passages, addresses its question or cites a source for all that it says, and while it streams.
 */
export function closestPassage({
  citations,
  annotations,
  verification,
}: AnswerSources & { citations: readonly Citation[] }): Citation | null {
  const cited = citations.filter((citation) => isCited(citation, annotations));
  const isRefusal =
    verification !== undefined &&
    (verification.cited === 0 ||
      (verification.answered === "no" &&
        verification.cited < verification.sentences &&
        cited.length <= 1));
  return isRefusal ? (cited[0] ?? citations[0] ?? null) : null;
}

/** The quotes from a source, without duplicates, in document order. */
export function quotesFrom(annotations: readonly UrlCitation[], id: number): SourceQuote[] {
  const quotes = annotations.flatMap(({ url_citation: at }) =>
    at.citation_id === id && at.quote ? [at.quote] : [],
  );
  return [...new Map(quotes.map((quote) => [quote.permalink, quote])).values()].toSorted(
    (a, b) => a.char_start - b.char_start,
  );
}

/** An answer to paste elsewhere: Markdown, followed by a list of the sources that it cites. */
export function withReferences(
  content: string,
  { citations = [], annotations }: AnswerSources & { citations?: readonly Citation[] | undefined },
): string {
  const lines = citations
    .filter((citation) => isCited(citation, annotations))
    .map((citation) => {
      const { id, title, metadata } = citation;
      const [quote] = quotesFrom(annotations ?? [], id);
      const page = quote?.page ?? metadata.page;
      const place = [title, typeof page === "number" && `page ${page}`].filter(Boolean).join(", ");
      return `[${id}] ${place}. ${metadata.url ?? quote?.permalink ?? ""}`.trimEnd();
    });
  return [content, ...(lines.length > 0 ? [lines.join("\n")] : [])].join("\n\n");
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
