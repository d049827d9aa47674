import { termId, termsOf } from "./analyzer";
import { countTokens } from "./tokens";

/** BM25 parameters and the average passage length in terms. Fixed, so that weights never change. */
const K1 = 1.2;
const B = 0.75;
const AVERAGE_TERMS = 120;

/** Version of analyzer and parameters. Weights of different versions aren't comparable. */
export const LEXICON_VERSION = "footnote-words-2";

/** A longer query is rejected, never truncated. */
export const MAX_QUERY_TOKENS = 8192;

/** A passage's terms by ascending dimension, each with its BM25 weight from 0 to 2.2. */
export interface TermWeights {
  terms: number[];
  weights: number[];
}

/** The weights of a passage. The text includes its title and headings. */
export function termWeights(text: string): TermWeights {
  const terms = termsOf(text);
  const counts = new Map<number, number>();
  for (const term of terms) {
    const id = termId(term);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const lengthFactor = K1 * (1 - B + (B * terms.length) / AVERAGE_TERMS);
  const entries = [...counts].sort(([a], [b]) => a - b);
  return {
    terms: entries.map(([term]) => term),
    weights: entries.map(([, count]) => (count * (K1 + 1)) / (count + lengthFactor)),
  };
}

/** A query's distinct terms. Their weights depend on the collections searched. */
export function queryTerms(text: string): number[] {
  return [...new Set(termsOf(text).map(termId))].sort((a, b) => a - b);
}

/** Whether a query has more than `maxTokens`. Cheap for short and very long text. */
export function isTooLong(query: string, maxTokens: number): boolean {
  const mostCharactersPerToken = 128;
  return (
    query.length > maxTokens &&
    (query.length > maxTokens * mostCharactersPerToken || countTokens(query, maxTokens) > maxTokens)
  );
}
