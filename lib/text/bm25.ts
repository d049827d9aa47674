import { type PassageWords, readFolded, termId } from "./analyzer";
import { foldedWords, isUnspaced } from "./fold";
import { type LatinLanguage, languageOfWords, possibleLanguages } from "./languages";
import { countTokensOf } from "./tokens";

/** BM25 parameters. The average passage length is fixed so that stored weights never change. */
const K1 = 1.2;
const B = 0.75;
const AVERAGE_TERMS = 140;

/** Version of analyzer and parameters. Weights of different versions aren't comparable. */
export const LEXICON_VERSION = "footnote-words-9";

/** Longer queries are rejected, not truncated. */
export const MAX_QUERY_TOKENS = 8192;
/** A longer query says as clearly as any text which language it is in. */
const MAX_UNDECIDED_WORDS = 40;

/** A passage's terms by ascending dimension, each with its BM25 saturation (0 to 2.2). */
export interface TermWeights {
  terms: number[];
  weights: number[];
}

/** A content word of a query. In each language that it may be in, it has its own stem. */
export interface QueryWord {
  /** How often the query has it. */
  count: number;
  /** The languages of each of its terms, first the English one if there is one. */
  terms: ReadonlyMap<number, readonly LatinLanguage[]>;
}

/**
 * The term that passages in a language other than English have in addition, so that document frequencies tell which
 * languages a collection has. No text has it, because of the colon.
 */
export function languageTerm(language: LatinLanguage): number {
  return termId(`language:${language}`);
}

/** The lexical index of a passage, from the words of its `lexicalText`. */
export function termWeights({ language, words }: PassageWords): TermWeights {
  const counts = new Map<number, number>();
  for (const { term } of words) {
    const id = termId(term);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  if (language !== "en") {
    counts.set(languageTerm(language), 1);
  }
  const lengthFactor = K1 * (1 - B + (B * words.length) / AVERAGE_TERMS);
  const entries = [...counts].sort(([a], [b]) => a - b);
  return {
    terms: entries.map(([term]) => term),
    weights: entries.map(([, count]) => (count * (K1 + 1)) / (count + lengthFactor)),
  };
}

/** The content words of a query. Their weights come from the collections searched. */
export function queryWords(text: string): QueryWord[] {
  const words = foldedWords(text);
  const languages =
    words.length > MAX_UNDECIDED_WORDS
      ? [languageOfWords(words) ?? "en"]
      : possibleLanguages(words);
  const counts = new Map<string, number>();
  for (const word of words) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].flatMap(([word, count]) =>
    isUnspaced(word)
      ? readFolded(word, "en").map(({ term }) => ({ count, terms: new Map([[termId(term), EN]]) }))
      : readQueryWord(word, count, languages),
  );
}

const EN: readonly LatinLanguage[] = ["en"];

/** Passages too short to tell their language are indexed as English, so a word always has its English term. */
function readQueryWord(
  word: string,
  count: number,
  languages: readonly LatinLanguage[],
): QueryWord[] {
  if (languages.every((language) => readFolded(word, language).length === 0)) {
    return [];
  }
  const terms = new Map<number, LatinLanguage[]>();
  for (const language of new Set([...EN, ...languages])) {
    for (const { term } of readFolded(word, language)) {
      const id = termId(term);
      terms.set(id, [...(terms.get(id) ?? []), language]);
    }
  }
  return [{ count, terms }];
}

/** Cheap for very short and very long queries. */
export async function isTooLong(query: string, maxTokens: number): Promise<boolean> {
  const mostCharactersPerToken = 128;
  return (
    query.length > maxTokens &&
    (query.length > maxTokens * mostCharactersPerToken ||
      (await countTokensOf([query], maxTokens)) > maxTokens)
  );
}
