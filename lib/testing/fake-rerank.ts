import { termsOf } from "@/lib/text/analyzer";

export interface RerankRequest {
  query?: string;
  /** Of Cohere's and Jina's shape. */
  documents?: string[];
  /** Of TEI's shape. */
  texts?: string[];
}

/** How a /rerank response deviates from a valid one. */
export interface RerankScript {
  /** Sent instead of the response, valid or not. */
  answer?: unknown;
}

/** Texts with the most words of the query first, in the shape of the request. */
export function answerRerank(
  { query = "", documents, texts }: RerankRequest,
  { answer }: RerankScript,
): { status: number; body: unknown } {
  const wanted = new Set(termsOf(query));
  const scored = (documents ?? texts ?? []).map((text, index) => ({
    index,
    score: termsOf(text).filter((term) => wanted.has(term)).length,
  }));
  scored.sort((a, b) => b.score - a.score);
  const results = documents
    ? { results: scored.map(({ index, score }) => ({ index, relevance_score: score })) }
    : scored;
  return { status: 200, body: answer ?? results };
}
