import type { Citation, UrlCitation } from "./schema";

/** The markers of an answer that name one of its citations, each as an annotation, in text order. */
export function annotate(
  text: string,
  citations: readonly Citation[],
  urlOf: (citation: Citation) => string,
): UrlCitation[] {
  const byId = new Map(citations.map((citation) => [citation.id, citation]));
  let codePoints = 0;
  let codeUnits = 0;
  return [...text.matchAll(/\[(\d{1,3})\]/g)].flatMap((match) => {
    const citation = byId.get(Number(match[1]));
    if (!citation) {
      return [];
    }
    codePoints += [...text.slice(codeUnits, match.index)].length;
    codeUnits = match.index;
    return {
      type: "url_citation" as const,
      url_citation: {
        start_index: codePoints,
        end_index: codePoints + match[0].length,
        title: citation.title,
        url: urlOf(citation),
        citation_id: citation.id,
      },
    };
  });
}
