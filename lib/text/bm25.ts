import { termId, termsOf } from "./analyzer";
import { countTokens } from "./tokens";

/** BM25's parameters, and the length of an average passage in terms: fixed, so that weights never change. */
const K1 = 1.2;
const B = 0.75;
const AVERAGE_TERMS = 120;

/** Names the lexicon, the stems and the parameters: weights of two lexicon versions are never compared. */
export const LEXICON_VERSION = "footnote-words-2";

/** A longer query is rejected, never cut. */
export const MAX_QUERY_TOKENS = 8192;

/** A passage's terms by rising dimension, each with its BM25 saturation, from 0 to 2.2. */
export interface TermWeights {
  terms: number[];
  weights: number[];
}

/** The words leg of a passage; what it is embedded with (title, headings) is part of the text. */
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

/** The query's distinct terms; their weights come from the collections searched. */
export function queryTerms(text: string): number[] {
  return [...new Set(termsOf(text).map(termId))].sort((a, b) => a - b);
}

/** Whether a query has more tokens than a search takes. Cheap for the short and the very long. */
export function isTooLong(query: string, maxTokens: number): boolean {
  const mostCharactersPerToken = 128;
  return (
    query.length > maxTokens &&
    (query.length > maxTokens * mostCharactersPerToken || countTokens(query, maxTokens) > maxTokens)
  );
}
