import { TIERS, termKey } from "@/lib/documents/term-keys";

/** In how many chunks of one collection each term key occurs. */
export type KeyCounts = ReadonlyMap<number, number>;

/** What the words leg knows of the collections: their sizes, and how common each term key is. */
export interface WordStatistics {
  /** Chunks of each collection. */
  sizes: ReadonlyMap<string, number>;
  counts: ReadonlyMap<string, KeyCounts>;
}

export interface WeightedTerm {
  term: number;
  idf: number;
}

/**
 * How many imagined chunks, in which no query term occurs, stand beside the real ones: without them a
 * collection of one document would hold every word to be common, and would never be found.
 */
const PRIOR_CHUNKS = 1000;
/** A search scores about this many chunks at most, over all its collections. */
const CANDIDATE_BUDGET = 4000;
/** Measured on SciFact: BM25 over this times the root of the query's idf sum lies like a cosine. */
const COSINE_SCALE = 22;
/** Maps a lexical cosine of 0.10, where relevant passages begin, to a similarity of 0.30. */
const CALIBRATION = 3.57;
/** Among more terms than these there is always a rare one, so that the tiers of common ones are not asked for. */
const MOST_TIERED_TERMS = 32;

/** Every key whose count a query needs in a collection. */
export function keysOf(collectionId: string, terms: readonly number[]): number[] {
  const tiers = terms.length > MOST_TIERED_TERMS ? 0 : TIERS.length;
  return terms.flatMap((term) =>
    Array.from({ length: tiers + 1 }, (_, tier) => termKey(collectionId, term, tier)),
  );
}

/** The query's terms with their inverse document frequency over all the collections counted. */
export function weighTerms(terms: readonly number[], statistics: WordStatistics): WeightedTerm[] {
  const total = PRIOR_CHUNKS + sum(statistics.sizes.values());
  return terms.map((term) => {
    const frequency = sum(
      statistics.counts
        .entries()
        .map(([collectionId, counts]) => counts.get(termKey(collectionId, term, 0)) ?? 0),
    );
    return { term, idf: Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5)) };
  });
}

/**
 * The keys of which a candidate must hold one: those of the collection's rarest terms, as many as fit
 * the budget. A term too common for what is left of it comes with the chunks that say it most.
 */
export function candidateKeys(
  collectionId: string,
  terms: readonly number[],
  { counts, budget }: { counts: KeyCounts; budget: number },
): number[] {
  const options = terms
    .map((term) => tiersOf(collectionId, term, counts))
    .filter((tiers) => tiers.length > 0)
    .sort((a, b) => (a[0]?.count ?? 0) - (b[0]?.count ?? 0));
  const chosen: number[] = [];
  let left = budget;
  for (const tiers of options) {
    const fitting = tiers.find(({ count }) => count <= left);
    if (fitting) {
      chosen.push(fitting.key);
      left -= fitting.count;
    }
  }
  const smallest = options.map((tiers) => tiers.at(-1)).find(Boolean);
  return chosen.length > 0 || !smallest ? chosen : [smallest.key];
}

/** What each of a search's collections may spend of its candidates. */
export function budgetFor(collections: number): number {
  return Math.ceil(CANDIDATE_BUDGET / Math.max(1, collections));
}

/** A BM25 score as a similarity from 0 to 1, to 4 places, comparable across queries. */
export function similarityOf(score: number, terms: readonly WeightedTerm[]): number {
  const idfSum = sum(terms.map(({ idf }) => idf));
  const cosine = idfSum > 0 ? score / (COSINE_SCALE * Math.sqrt(idfSum)) : 0;
  return Math.round((1 - Math.exp(-CALIBRATION * cosine)) * 10_000) / 10_000;
}

/** The keys of a term that occur, from all its chunks to the few that say it most. */
function tiersOf(collectionId: string, term: number, counts: KeyCounts) {
  return Array.from({ length: TIERS.length + 1 }, (_, tier) => {
    const key = termKey(collectionId, term, tier);
    return { key, count: counts.get(key) ?? 0 };
  }).filter(({ count }) => count > 0);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) {
    total += value;
  }
  return total;
}
