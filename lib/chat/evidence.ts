import { createHash } from "node:crypto";
import { UrlCitation } from "@/lib/citations/schema";
import { permalinkOf } from "@/lib/documents/permalink";
import type { Completion } from "@/lib/models/schema";
import { excerptOf, type Passage } from "@/lib/retrieval/passage";
import type { Evidence, EvidenceQuote } from "./stored-schema";

/** A quote under the number of the source that it is of. */
interface NumberedQuote {
  citationId: number;
  quote: EvidenceQuote;
}

/**
 * What an answer rests on, as it stands now: each source the model was given, with the claims that name it.
 * `versions` tells, by chunk, the content hash of its document; a chunk that is gone has none.
 */
export function evidenceOf(
  response: Completion,
  passages: readonly Passage[],
  versions: ReadonlyMap<string, string>,
): Evidence[] {
  const quotes = response.choices.flatMap(quotesOf);
  return passages.map((passage, index) => ({
    ...sourceOf(passage, index + 1),
    document_version: versions.get(passage.chunkId) ?? null,
    quotes: quotes.flatMap(({ citationId, quote }) => (citationId === index + 1 ? [quote] : [])),
  }));
}

function sourceOf(passage: Passage, citationId: number) {
  const { charStart, charEnd, text } = passage;
  return {
    citation_id: citationId,
    scope: passage.scope,
    document_id: passage.documentId,
    title: passage.title,
    source_type: passage.sourceType,
    url: passage.url,
    published_at: passage.publishedAt?.toISOString().slice(0, 10) ?? null,
    chunk_id: passage.chunkId,
    chunk_hash: createHash("sha256").update(text).digest("hex"),
    char_start: charStart,
    char_end: charEnd,
    page: passage.pageStart,
    page_end: passage.pageEnd,
    section: passage.headings.join(" › ") || null,
    excerpt: excerptOf(text),
    permalink: permalinkOf(passage.documentId, { text, start: charStart, end: charEnd }),
  };
}

/** An upstream's own annotations name no citation of ours, and are left to the response. */
function quotesOf({ index, message }: Completion["choices"][number]): NumberedQuote[] {
  const annotations = Array.isArray(message.annotations) ? message.annotations : [];
  return annotations.flatMap((annotation) => {
    const { data } = UrlCitation.safeParse(annotation);
    return data ? [toQuote(index, data.url_citation)] : [];
  });
}

function toQuote(choiceIndex: number, annotation: UrlCitation["url_citation"]): NumberedQuote {
  const { citation_id, claim, quote, verification } = annotation;
  return {
    citationId: citation_id,
    quote: {
      choice_index: choiceIndex,
      claim: claim.text,
      text: quote?.text ?? null,
      char_start: quote?.char_start ?? null,
      char_end: quote?.char_end ?? null,
      permalink: quote?.permalink ?? null,
      verdict: verification?.verdict ?? null,
      score: verification?.score ?? null,
      reason: verification?.reason ?? null,
      method: verification?.method ?? null,
    },
  };
}
