import { termId, termsOf } from "./lexicon";
import { countTokens } from "./tokens";

/** BM25's parameters, and the length of an average passage in terms: fixed, so that weights never change. */
const K1 = 1.2;
const B = 0.75;
const AVERAGE_TERMS = 120;

/** A point in the sparse term space: each term's dimension with its weight, by rising dimension. */
export interface SparseVector {
  terms: number[];
  weights: number[];
}

/** Turns texts into points of one space. The fake of tests implements the same. */
export interface Embedder {
  /** Names the space; points of different spaces are never compared. */
  readonly space: string;
  /** A longer query is rejected, never cut. */
  readonly maxQueryTokens: number;
  embedPassages(texts: readonly string[]): Promise<SparseVector[]>;
  /** The query's distinct terms; their weights come from the collection searched. */
  embedQuery(text: string, signal: AbortSignal): Promise<number[]>;
}

/** The built-in embedder: words alone, no model. A passage's weights are its BM25 term saturations. */
const lexicalEmbedder: Embedder = {
  space: "footnote-lexical-1",
  maxQueryTokens: 8192,
  embedPassages: async (texts) => texts.map(embedPassage),
  embedQuery: async (text) => [...new Set(termsOf(text).map(termId))].sort((a, b) => a - b),
};

const shared = globalThis as typeof globalThis & { footnoteEmbedder?: Embedder };

export function embedder(): Embedder {
  return shared.footnoteEmbedder ?? lexicalEmbedder;
}

/** Puts another embedder in place; undefined brings the built-in one back. */
export function replaceEmbedder(replacement: Embedder | undefined): void {
  if (replacement) {
    shared.footnoteEmbedder = replacement;
  } else {
    delete shared.footnoteEmbedder;
  }
}

/** Whether the query is longer than the embedder takes. Cheap for the short and the very long. */
export function isTooLong(query: string, { maxQueryTokens }: Embedder): boolean {
  const mostCharactersPerToken = 128;
  return (
    query.length > maxQueryTokens &&
    (query.length > maxQueryTokens * mostCharactersPerToken || countTokens(query) > maxQueryTokens)
  );
}

function embedPassage(text: string): SparseVector {
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
