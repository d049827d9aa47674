import { type Calibration, LEAST_SEPARATION } from "@/lib/library/documents/calibration";

/** A chunk that a retriever found, with the scores of both. */
export interface Candidate {
  id: string;
  /** Cosine similarity, from -1 to 1; null for a chunk without a vector in the embedder's space. */
  cosine: number | null;
  /** BM25; 0 for a chunk without any of the query's terms. */
  bm25: number;
}

export interface ScoredCandidate extends Candidate {
  /** How similar the passage's words are to the query, from 0 to 1. */
  words: number;
}

export interface Ranked extends ScoredCandidate {
  /** Among all candidates, from 1; null without a score. */
  vectorRank: number | null;
  lexicalRank: number | null;
  /** By how many deviations the cosine is above that of unrelated texts; null without a vector. */
  z: number | null;
  /** The sum of what its words and its vector add, from 0 to 1. */
  score: number;
  lexicalPart: number;
  vectorPart: number;
  /** From 0 to 1, to 4 places, and comparable between queries and models. */
  similarity: number;
}

/** The vectors' share of the score, by how well the model tells passages apart. */
const SHARE_BY_SEPARATION = 0.2;
const NO_SEPARATION = 1;
const MOST_SHARE = 0.6;
/** Fitted so that scores of words and of vectors add up, and that a similarity of 0.3 keeps what is relevant. */
const SCORE_CENTER = 2.85;
const SIMILARITY_CENTER = 3.45;
const WORDS_IN_DEVIATIONS = 3;

/**
 * Unites the candidates and sorts them, best first, by scores that don't depend on the other candidates: one stray word
 * of a query must not make some passage's words the best there are. Without a calibration, vectors don't count.
 */
export function fuse(
  results: readonly (readonly ScoredCandidate[])[],
  calibration: Calibration | null,
): Ranked[] {
  const union = [...new Map(results.flat().map((candidate) => [candidate.id, candidate])).values()];
  const vectorRanks = rankBy(union, ({ cosine }) => cosine);
  const lexicalRanks = rankBy(union, ({ bm25 }) => (bm25 > 0 ? bm25 : null));
  const ranked = union.map((candidate) => ({
    ...candidate,
    vectorRank: vectorRanks.get(candidate) ?? null,
    lexicalRank: lexicalRanks.get(candidate) ?? null,
    ...score(candidate, calibration),
  }));
  return ranked.sort((a, b) => b.score - a.score || b.bm25 - a.bm25 || compare(a.id, b.id));
}

/** A passage without a vector has the score and similarity of its words. */
function score({ cosine, words }: ScoredCandidate, calibration: Calibration | null) {
  if (calibration === null || cosine === null) {
    return { z: null, lexicalPart: words, vectorPart: 0, score: words, similarity: words };
  }
  const z = (cosine - calibration.mean) / calibration.deviation;
  const share = shareOf(calibration);
  const lexicalPart = (1 - share) * words;
  const vectorPart = share * logistic(z - SCORE_CENTER);
  const similarity = logistic(z + WORDS_IN_DEVIATIONS * words - SIMILARITY_CENTER);
  return {
    z,
    lexicalPart,
    vectorPart,
    score: lexicalPart + vectorPart,
    similarity: Math.round(similarity * 10_000) / 10_000,
  };
}

function shareOf({ separation }: Calibration): number {
  const share = SHARE_BY_SEPARATION * (separation - NO_SEPARATION);
  return Math.min(MOST_SHARE, Math.max(0, share));
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** Such a passage is kept however similar it is. Some passage is always nearest, so it must also stand out. */
export function isFirstInBoth({ vectorRank, lexicalRank, z }: Ranked): boolean {
  return vectorRank === 1 && lexicalRank === 1 && (z ?? 0) >= LEAST_SEPARATION;
}

function rankBy<Each extends Candidate>(
  candidates: readonly Each[],
  scoreOf: (candidate: Each) => number | null,
): Map<Each, number> {
  const known = candidates
    .filter((candidate) => scoreOf(candidate) !== null)
    .sort((a, b) => (scoreOf(b) ?? 0) - (scoreOf(a) ?? 0) || compare(a.id, b.id));
  return new Map(known.map((candidate, index) => [candidate, index + 1]));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
