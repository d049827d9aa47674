/** A chunk that a retriever found, with the scores of both. */
export interface Candidate {
  id: string;
  /** Cosine similarity, from -1 to 1; null for a chunk without a vector in the embedder's space. */
  cosine: number | null;
  /** BM25; 0 for a chunk without any of the query's terms. */
  bm25: number;
}

export interface Ranked extends Candidate {
  /** Among all candidates, from 1; null without a score. */
  vectorRank: number | null;
  lexicalRank: number | null;
  /** The weighted sum of both scores, each divided by the best; from 0 to 1. In a lexical search, BM25. */
  score: number;
}

/** Where the words say it all, the vectors' share has this power in addition. */
const CAUTION = 3;

/**
 * Unites the candidates and sorts them by their scores, best first: each retriever's divided by its best. `confidence`,
 * from 0 to 1, says how well the words of the best passage cover the query. The vectors' share falls with it, so that a
 * weak embedding model changes little where words suffice.
 */
export function fuse(
  results: readonly (readonly Candidate[])[],
  weights: { vector: number; lexical: number },
  confidence: number,
): Ranked[] {
  const union = [...new Map(results.flat().map((candidate) => [candidate.id, candidate])).values()];
  const vectorRanks = rankBy(union, ({ cosine }) => cosine);
  const lexicalRanks = rankBy(union, ({ bm25 }) => (bm25 > 0 ? bm25 : null));
  const bestBm25 = best(union.map(({ bm25 }) => bm25));
  const bestCosine = best(union.map(({ cosine }) => cosine ?? 0));
  const vectorShare = shareOf(weights) ** (1 + CAUTION * confidence);
  const ranked = union.map((candidate) => {
    const words = candidate.bm25 / bestBm25;
    // A chunk without a vector is ranked by its words alone.
    const meaning = candidate.cosine === null ? words : Math.max(0, candidate.cosine) / bestCosine;
    const fused = (1 - vectorShare) * words + vectorShare * meaning;
    return {
      ...candidate,
      vectorRank: vectorRanks.get(candidate) ?? null,
      lexicalRank: lexicalRanks.get(candidate) ?? null,
      score: vectorRanks.size > 0 ? fused : candidate.bm25,
    };
  });
  return ranked.sort((a, b) => b.score - a.score || compare(a.id, b.id));
}

/** Without weights, words decide. */
function shareOf({ vector, lexical }: { vector: number; lexical: number }): number {
  return vector > 0 ? vector / (vector + lexical) : 0;
}

/** The greatest score; 1 if there is none above 0. */
function best(scores: readonly number[]): number {
  return Math.max(0, ...scores) || 1;
}

function rankBy(
  candidates: readonly Candidate[],
  scoreOf: (candidate: Candidate) => number | null,
): Map<Candidate, number> {
  const known = candidates
    .filter((candidate) => scoreOf(candidate) !== null)
    .sort((a, b) => (scoreOf(b) ?? 0) - (scoreOf(a) ?? 0) || compare(a.id, b.id));
  return new Map(known.map((candidate, index) => [candidate, index + 1]));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
