/** Counts of one term, and of all chunks, in the collections searched. */
export interface TermStatistics {
  chunks: number;
  frequencies: ReadonlyMap<number, number>;
}

export interface WeightedTerm {
  term: number;
  idf: number;
  frequency: number;
}

/**
 * How many imagined chunks, in which no query term occurs, stand beside the real ones: without them a
 * collection of one document would hold every word to be common, and would never be found.
 */
const PRIOR_CHUNKS = 1000;
/** A search scores about this many chunks at most, unless its rarest term alone has more. */
const CANDIDATE_BUDGET = 4000;
/** Measured on SciFact: BM25 over this times the root of the query's idf sum lies like a cosine. */
const COSINE_SCALE = 22;
/** Maps a lexical cosine of 0.10, where relevant passages begin, to a similarity of 0.30. */
const CALIBRATION = 3.57;

/** The query's terms that occur at all, with their inverse document frequency. */
export function weighTerms(terms: readonly number[], statistics: TermStatistics): WeightedTerm[] {
  const total = statistics.chunks + PRIOR_CHUNKS;
  return terms.map((term) => {
    const frequency = statistics.frequencies.get(term) ?? 0;
    return { term, frequency, idf: Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5)) };
  });
}

/** The rarest terms whose chunks together fit the budget: one of them must occur in a candidate. */
export function candidateTerms(terms: readonly WeightedTerm[]): number[] {
  const occurring = terms.filter(({ frequency }) => frequency > 0);
  const rarestFirst = occurring.toSorted((a, b) => a.frequency - b.frequency);
  let budget = CANDIDATE_BUDGET;
  return rarestFirst
    .filter(({ frequency }, index) => {
      budget -= frequency;
      return index === 0 || budget >= 0;
    })
    .map(({ term }) => term);
}

/** A BM25 score as a similarity from 0 to 1, to 4 places, comparable across queries. */
export function similarityOf(score: number, terms: readonly WeightedTerm[]): number {
  const idfSum = terms.reduce((sum, { idf }) => sum + idf, 0);
  const cosine = idfSum > 0 ? score / (COSINE_SCALE * Math.sqrt(idfSum)) : 0;
  return Math.round((1 - Math.exp(-CALIBRATION * cosine)) * 10_000) / 10_000;
}
