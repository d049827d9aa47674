import { termId, termsOf, type Word } from "./analyzer";
import { countTokens } from "./tokens";

/** BM25 parameters. The average passage length is fixed so that stored weights never change. */
const K1 = 1.2;
const B = 0.75;
const AVERAGE_TERMS = 140;

/** Version of analyzer and parameters. Weights of different versions aren't comparable. */
export const LEXICON_VERSION = "footnote-words-3";

/** Longer queries are rejected, not truncated. */
export const MAX_QUERY_TOKENS = 8192;

/** A passage's terms by ascending dimension, each with its BM25 saturation (0 to 2.2). */
export interface TermWeights {
  terms: number[];
  weights: number[];
}

/** The lexical index of a passage, from the words of its `lexicalText`. */
export function termWeights(words: readonly Word[]): TermWeights {
  const counts = new Map<number, number>();
  for (const { term } of words) {
    const id = termId(term);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const lengthFactor = K1 * (1 - B + (B * words.length) / AVERAGE_TERMS);
  const entries = [...counts].sort(([a], [b]) => a - b);
  return {
    terms: entries.map(([term]) => term),
    weights: entries.map(([, count]) => (count * (K1 + 1)) / (count + lengthFactor)),
  };
}

/** How often each of a query's terms occurs in it, by ascending dimension. Their weights come from the collections searched. */
export function queryTerms(text: string): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const term of termsOf(text)) {
    const id = termId(term);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => a - b));
}

/** Cheap for very short and very long queries. */
export function isTooLong(query: string, maxTokens: number): boolean {
  const mostCharactersPerToken = 128;
  return (
    query.length > maxTokens &&
    (query.length > maxTokens * mostCharactersPerToken || countTokens(query, maxTokens) > maxTokens)
  );
}
