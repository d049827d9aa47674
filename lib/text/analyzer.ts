import { createHash } from "node:crypto";
import stem from "wink-porter2-stemmer";
import { memoized } from "./memoized";
import stopWords from "./stop-words.json" with { type: "json" };

const STOP_WORDS = new Set(stopWords);

/** Dimensions of the term space: pgvector's maximum for sparse vectors. */
export const TERM_SPACE = 1_000_000_000;

const CACHE_SIZE = 50_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const ASCII = /^[\x00-\x7f]*$/;
/** Marks that writers leave out; in other scripts, marks are vowels. */
const ACCENTS =
  /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
/** "B-12" is "B12", and "type2" is "type 2". */
const SHORT_NAME = /(?<![\p{L}\p{N}])(\p{L}{1,2})-(?=\d)/gu;
const NUMBERED = /(?<![\p{L}\p{N}])(\p{L}{3,})(?=\d+(?![\p{L}\p{N}]))/gu;
/** The stemmer is very slow on long runs of letters; no English word is longer than this. */
const MAX_WORD_LENGTH = 45;

/** A run of a script written without spaces. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]{2,}$/u;
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+|[\p{L}\p{N}\p{M}]+(?:['’.][\p{L}\p{N}\p{M}]+)*/gu;

/** A word without case and accents, and the term it is indexed as. */
export interface Word {
  word: string;
  term: string;
}

/**
 * The content words of a text in order, with repeats: without stop words, case, accents and, in their terms,
 * differences of British and American spelling, stemmed (porter2). Scripts without spaces become pairs of characters.
 */
export function wordsOf(text: string): Word[] {
  return readWords(fold(text).replace(SHORT_NAME, "$1").replace(NUMBERED, "$1 "));
}

/** The terms of `wordsOf`. */
export function termsOf(text: string): string[] {
  return wordsOf(text).map(({ term }) => term);
}

/** The term of a single word, such as "GATA3", which stays whole; null for a stop word. */
export function termOfWord(word: string): string | null {
  return readWords(fold(word))[0]?.term ?? null;
}

function readWords(folded: string): Word[] {
  const runs = folded.match(WORDS) ?? [];
  return runs.flatMap((run) => {
    if (UNSPACED.test(run)) {
      return pairsOf(run).map((pair) => ({ word: pair, term: pair }));
    }
    const word = run.replace(/['’]s?$|['’]s(?=\.|$)/u, "");
    return word && !STOP_WORDS.has(word) ? [{ word, term: stemOf(word) }] : [];
  });
}

/** Lower case, without accents of Latin, Greek and Cyrillic letters and without ligatures. */
function fold(text: string): string {
  if (ASCII.test(text)) {
    return text.toLowerCase();
  }
  return text
    .normalize("NFKD")
    .replace(ACCENTS, "$1")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("œ", "oe")
    .replaceAll("æ", "ae")
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l");
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** The term's dimension in the sparse space, from 1 to TERM_SPACE. */
export const termId = memoized(CACHE_SIZE, (term) => {
  const digest = createHash("sha1").update(term).digest();
  return (digest.readUInt32BE(0) % TERM_SPACE) + 1;
});

const americanStemOf = memoized(CACHE_SIZE, (word) => stem(americanOf(word)));

/** Other words aren't remembered: they are stems already, of any length. */
function stemOf(word: string): string {
  const isEnglish = word.length <= MAX_WORD_LENGTH && /^[a-z]+$/.test(word);
  return isEnglish ? americanStemOf(word) : word;
}

/** Turns British into American spelling. Other words may be changed too; the result is only compared. */
function americanOf(word: string): string {
  return word
    .replace(/[ao]e(?!s?$|d$|r)/g, "e")
    .replace(/(?<=[a-z]{2})our(?=$|[a-z]*(?:s|ed|ing|al|ful|able|less)$)/, "or")
    .replace(/([a-z]{4})is(?=e$|e[drs]$|ing$|ations?$)/, "$1iz")
    .replace(/ys(?=e$|e[drs]$|ing$)/, "yz")
    .replace(/([bt])re(?=s?$)/, "$1er")
    .replace(/ll(?=ed$|ing$|er$)/, "l")
    .replace(/sulph/, "sulf")
    .replace(/amme(?=s?$)/, "am")
    .replace(/^ageing$/, "aging");
}
