import { createHash } from "node:crypto";
import { foldedNames, foldedWords, isUnspaced } from "./fold";
import {
  isLatin,
  isStopWord,
  LATIN_LANGUAGES,
  type Language,
  type LatinLanguage,
  languageOfWords,
} from "./languages";
import { memoized } from "./memoized";
import { stemOfFolded } from "./stems";

/** Dimensions of the term space: pgvector's maximum for sparse vectors. */
export const TERM_SPACE = 1_000_000_000;

const CACHE_SIZE = 50_000;
/** Very long words would fill the memory. */
const MAX_CACHED_LENGTH = 60;

/** French and Italian articles, pronouns and prepositions that are written together with the next word. */
const ELISION =
  /^(?:[cdjlmnstv]|(?:jus|lors|puis|quoi)?qu|un|gl|(?:d?a|de|ne|su|co|que|be)ll|quest|anch|sant)'(?=.)/;

/** What Korean puts at the end of a noun, behind at least two syllables. */
const PARTICLE =
  /(?<=^\p{Script=Hangul}{2,})(?:에서는|에서|에게|까지|부터|으로|이나|하고|은|는|이|가|을|를|에|의|로|와|과|도|만)$/u;

/** A word without case and accents, and the term it is indexed as. */
export interface Word {
  word: string;
  term: string;
}

export interface PassageWords {
  language: LatinLanguage;
  words: Word[];
}

/**
 * The content words of a text in order, with repeats: without stop words, case, accents and, in their terms,
 * differences of British and American spelling, stemmed by the language's rules. Scripts without spaces become pairs
 * of characters.
 */
export function wordsOf(text: string, language: Language | null = "en"): Word[] {
  return readAll(foldedWords(text), language && isLatin(language) ? language : "en");
}

/** The words of a passage by the rules of its own language; English if that can't be told. */
export function passageWordsOf(text: string): PassageWords {
  const folded = foldedWords(text);
  const language = languageOfWords(folded) ?? "en";
  return { language, words: readAll(folded, language) };
}

/** The terms of `wordsOf`. */
export function termsOf(text: string, language: Language | null = "en"): string[] {
  return wordsOf(text, language).map(({ term }) => term);
}

/** The term of a single English word, such as "GATA3", which stays whole; null for a stop word. */
export function termOfWord(word: string): string | null {
  return foldedNames(word).flatMap((name) => readFolded(name, "en"))[0]?.term ?? null;
}

/** The content words in a word from `foldedWords`: none for a stop word, pairs for a run of a script without spaces. */
export function readFolded(folded: string, language: LatinLanguage): readonly Word[] {
  const readCached = folded.length <= MAX_CACHED_LENGTH && CACHED_READERS.get(language);
  return readCached ? readCached(folded) : read(folded, language);
}

const CACHED_READERS = new Map(
  LATIN_LANGUAGES.map((language) => [
    language,
    memoized(CACHE_SIZE, (folded) => read(folded, language)),
  ]),
);

function readAll(folded: readonly string[], language: LatinLanguage): Word[] {
  const words: Word[] = [];
  for (const each of folded) {
    for (const word of readFolded(each, language)) {
      words.push(word);
    }
  }
  return words;
}

function read(folded: string, language: LatinLanguage): readonly Word[] {
  if (isUnspaced(folded)) {
    return pairsOf(folded.replace(PARTICLE, "")).map((pair) => ({ word: pair, term: pair }));
  }
  const elides = language === "fr" || language === "it";
  const whole = elides ? folded.replace(ELISION, "") : folded;
  const word = whole.replace(/['’]s?$|['’]s(?=\.|$)/u, "");
  return word && !isStopWord(word, language) ? [{ word, term: stemOfFolded(word, language) }] : [];
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

const cachedTermId = memoized(CACHE_SIZE, hashOf);

/** The term's dimension in the sparse space, from 1 to TERM_SPACE. */
export function termId(term: string): number {
  return term.length <= MAX_CACHED_LENGTH ? cachedTermId(term) : hashOf(term);
}

function hashOf(term: string): number {
  const digest = createHash("sha1").update(term).digest();
  return (digest.readUInt32BE(0) % TERM_SPACE) + 1;
}
