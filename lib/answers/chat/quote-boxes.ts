import type { CitedSource, SourceQuote } from "@/lib/answers/citations/schema";
import type { AnswerSource, VerifiedAnswer } from "@/lib/answers/citations/verification";
import { findQuoteBoxes, type QuotedRange } from "@/lib/library/documents/read/quote-boxes";
import { log } from "@/lib/platform/log";

/** Adds where quotes are on their pages. An answer without quotes of documents with pages costs no statement. */
export async function addQuoteBoxes(
  verified: VerifiedAnswer,
  sources: readonly AnswerSource<CitedSource>[],
): Promise<VerifiedAnswer> {
  const byId = new Map(sources.map((source) => [source.citation.id, source]));
  const quoted = verified.annotations.flatMap(({ url_citation: { citation_id, quote } }) => {
    const range = quote && rangeOf(quote, byId.get(citation_id));
    return range ? [{ quote, range }] : [];
  });
  if (quoted.length === 0) {
    return verified;
  }
  // An answer is right without the boxes.
  const found = await findQuoteBoxes(quoted.map(({ range }) => range)).catch((err: unknown) => {
    log.warn({ err }, "could not read where quotes are on their pages");
    return [];
  });
  const boxes = new Map(quoted.map(({ quote }, index) => [quote, found[index] ?? null]));
  const withBoxes = (quote: SourceQuote) => {
    const own = boxes.get(quote);
    return own ? { ...quote, page: own[0]?.page ?? quote.page, boxes: own } : quote;
  };
  return {
    ...verified,
    annotations: verified.annotations.map(({ type, url_citation: { quote, ...citation } }) => ({
      type,
      url_citation: {
        ...citation,
        ...(quote !== undefined && { quote: quote && withBoxes(quote) }),
      },
    })),
  };
}

function rangeOf(
  { char_start: start, char_end: end }: SourceQuote,
  source: AnswerSource<CitedSource> | undefined,
): QuotedRange | null {
  const { citation, pageStarts } = source ?? {};
  return citation?.document_id && pageStarts?.length
    ? { documentId: citation.document_id, start, end, pageStarts }
    : null;
}
