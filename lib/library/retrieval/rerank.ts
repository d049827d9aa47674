import type { Reranker } from "@/lib/models/rerank";
import { embeddingText } from "@/lib/reading/describe";
import type { Passage } from "./read/passages";

/** TEI accepts 32 texts per request unless it is configured otherwise. */
export const MAX_RERANKED = 32;
/** More than a reranker reads of a passage. */
const MAX_TEXT = 8000;

/**
 * Sorts the first passages by the reranker's scores, best first. Those without a score follow in their order, and then
 * the rest. Throws if the reranker is late or fails.
 */
export async function rerank(
  model: Reranker,
  { query, passages }: { query: string; passages: readonly Passage[] },
  bounds: { signal: AbortSignal; timeoutMs: number },
): Promise<Passage[]> {
  const first = passages.slice(0, MAX_RERANKED);
  const texts = first.map((passage) => embeddingText(passage.title, passage).slice(0, MAX_TEXT));
  const scores = await model(
    query,
    texts.map((text) => text.toWellFormed()),
    bounds,
  );
  const scored = first.map((passage, index) => ({ passage, score: scores[index] ?? null }));
  const best = scored
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  const others = scored.filter(({ score }) => score === null);
  return [...best, ...others].map(({ passage }) => passage).concat(passages.slice(MAX_RERANKED));
}
