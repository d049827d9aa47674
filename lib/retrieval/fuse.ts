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
  /** The sum of weighted reciprocal ranks, or BM25 in a lexical search. */
  score: number;
}

/** The constant of reciprocal rank fusion (Cormack et al., SIGIR 2009). */
const RANK_CONSTANT = 60;

/** Unites the candidates and sorts them by weighted reciprocal rank, best first. */
export function fuse(
  results: readonly (readonly Candidate[])[],
  weights: { vector: number; lexical: number },
): Ranked[] {
  const union = [...new Map(results.flat().map((candidate) => [candidate.id, candidate])).values()];
  const vectorRanks = rankBy(union, ({ cosine }) => cosine);
  const lexicalRanks = rankBy(union, ({ bm25 }) => (bm25 > 0 ? bm25 : null));
  const hasVectors = vectorRanks.size > 0;
  const ranked = union.map((candidate) => {
    const vectorRank = vectorRanks.get(candidate.id) ?? null;
    const lexicalRank = lexicalRanks.get(candidate.id) ?? null;
    const fused =
      reciprocal(vectorRank) * weights.vector + reciprocal(lexicalRank) * weights.lexical;
    return { ...candidate, vectorRank, lexicalRank, score: hasVectors ? fused : candidate.bm25 };
  });
  return ranked.sort((a, b) => b.score - a.score || compare(a.id, b.id));
}

function rankBy(
  candidates: readonly Candidate[],
  scoreOf: (candidate: Candidate) => number | null,
): Map<string, number> {
  const known = candidates.flatMap((candidate) => {
    const score = scoreOf(candidate);
    return score === null ? [] : [{ id: candidate.id, score }];
  });
  known.sort((a, b) => b.score - a.score || compare(a.id, b.id));
  return new Map(known.map(({ id }, index) => [id, index + 1]));
}

function reciprocal(rank: number | null): number {
  return rank === null ? 0 : 1 / (RANK_CONSTANT + rank);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
