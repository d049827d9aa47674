import { stopwords as danish } from "@orama/stopwords/danish";
import { stopwords as dutch } from "@orama/stopwords/dutch";
import { stopwords as finnish } from "@orama/stopwords/finnish";
import { stopwords as french } from "@orama/stopwords/french";
import { stopwords as german } from "@orama/stopwords/german";
import { stopwords as italian } from "@orama/stopwords/italian";
import { stopwords as norwegian } from "@orama/stopwords/norwegian";
import { stopwords as portuguese } from "@orama/stopwords/portuguese";
import { stopwords as spanish } from "@orama/stopwords/spanish";
import { stopwords as swedish } from "@orama/stopwords/swedish";
import { stopwords as turkish } from "@orama/stopwords/turkish";
import { foldedWords } from "./fold";
import functionWords from "./function-words.json" with { type: "json" };
import english from "./stop-words.json" with { type: "json" };

/** Languages that stop words tell apart. The Spanish list is twice as long as the others, and has all letters. */
const STOP_WORD_LISTS = {
  en: english,
  de: german,
  es: spanish.filter((word) => word.length > 1 || "aeouy".includes(word)),
  fr: french,
  it: [...italian, ...functionWords.it],
  pt: [...portuguese, ...functionWords.pt],
  nl: dutch,
  sv: swedish,
  da: danish,
  no: norwegian,
  fi: finnish,
  tr: turkish,
};

/** Other languages by their script. Several languages use some of these; the code is that of the most common one. */
const SCRIPTS = {
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  zh: /\p{Script=Han}/gu,
  ko: /\p{Script=Hangul}/gu,
  ar: /\p{Script=Arabic}/gu,
  he: /\p{Script=Hebrew}/gu,
  hi: /\p{Script=Devanagari}/gu,
  bn: /\p{Script=Bengali}/gu,
  ta: /\p{Script=Tamil}/gu,
  te: /\p{Script=Telugu}/gu,
  th: /\p{Script=Thai}/gu,
  ru: /\p{Script=Cyrillic}/gu,
  el: /\p{Script=Greek}/gu,
  ka: /\p{Script=Georgian}/gu,
  hy: /\p{Script=Armenian}/gu,
  am: /\p{Script=Ethiopic}/gu,
};

export type LatinLanguage = keyof typeof STOP_WORD_LISTS;
/** ISO 639-1. */
export type Language = LatinLanguage | keyof typeof SCRIPTS;

/** English first: it wins a tie. */
export const LATIN_LANGUAGES = Object.keys(STOP_WORD_LISTS) as LatinLanguage[];

const LETTER = /\p{L}/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
const ASCII = /[\x00-\x7f]+/g;

/** Enough to be sure, and short enough to cost little. */
const SAMPLE_CHARACTERS = 4000;
const SAMPLE_SIZE = 500;
/** Prose has more stop words than this, lists of names have fewer. */
const MIN_SHARE = 0.23;
/** They share most of their function words. If the wrong one is detected, a question and its passage still have the same stems. */
const SCANDINAVIAN: readonly LatinLanguage[] = ["sv", "da", "no"];
/** Finnish and Turkish have endings where others have function words. */
const MIN_ENDING_SHARE = 0.1;
const ENDING_LANGUAGES: readonly LatinLanguage[] = ["fi", "tr"];
const LIKE_ENGLISH = [...SCANDINAVIAN, ...ENDING_LANGUAGES];
const MIN_STOP_WORDS = 2;
/** Japanese mixes kana with Chinese characters. */
const MIN_KANA_SHARE = 0.1;

const STOP_WORDS = new Map<LatinLanguage, ReadonlySet<string>>(
  LATIN_LANGUAGES.map((language) => [
    language,
    new Set(STOP_WORD_LISTS[language].flatMap(foldedWords)),
  ]),
);
/** The places in LATIN_LANGUAGES of each stop word's languages. */
const PLACES = new Map<string, number[]>();
for (const [place, language] of LATIN_LANGUAGES.entries()) {
  for (const word of STOP_WORDS.get(language) ?? []) {
    PLACES.set(word, [...(PLACES.get(word) ?? []), place]);
  }
}

/** A text's language by its script or its stop words; null if it is too short to tell, or in another language. */
export function languageOf(text: string): Language | null {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  // The letters of ASCII are Latin, and most texts have few others to count.
  if (isMostlyLatin(sample.replace(ASCII, "")) || isMostlyLatin(sample)) {
    return languageOfWords(foldedWords(sample));
  }
  const letters = count(sample, LETTER);
  const kana = count(sample, SCRIPTS.ja);
  if (kana >= MIN_KANA_SHARE * letters) {
    return "ja";
  }
  const scripts = Object.entries(SCRIPTS) as [Language, RegExp][];
  return scripts.find(([, script]) => 2 * count(sample, script) > letters)?.[0] ?? null;
}

function isMostlyLatin(text: string): boolean {
  return 2 * count(text, /\p{Script=Latin}/gu) >= count(text, LETTER);
}

/** The language of a text in Latin letters, given as its folded words. */
export function languageOfWords(words: readonly string[]): LatinLanguage | null {
  const { counts, scores, total } = countStopWords(words);
  const best = Math.max(...scores);
  const alike = LATIN_LANGUAGES.filter((_, place) => scores[place] === best);
  const [first = null, second] = alike;
  const isScandinavian = alike.every((language) => SCANDINAVIAN.includes(language));
  if (!first || !(second === undefined || first === "en" || isScandinavian)) {
    return null;
  }
  const count = counts[LATIN_LANGUAGES.indexOf(first)] ?? 0;
  const minShare = ENDING_LANGUAGES.includes(first) ? MIN_ENDING_SHARE : MIN_SHARE;
  const isProse = count >= MIN_STOP_WORDS && count >= minShare * total;
  return isProse && isUnlikeEnglish(first, words) ? first : null;
}

/** Notes in English, such as "men over 50, dog bites", have stop words of these languages, but hardly as many. */
function isUnlikeEnglish(language: LatinLanguage, words: readonly string[]): boolean {
  const least = SCANDINAVIAN.includes(language) ? 3 : ENDING_LANGUAGES.includes(language) ? 2 : 0;
  const own = words
    .slice(0, SAMPLE_SIZE)
    .filter((word) => isStopWord(word, language) && !isStopWord(word, "en"));
  return new Set(own).size >= least;
}

/**
 * The languages that a query's stop words allow: a query is too short to decide. Those with the most stop words, or all
 * if it has none, or seems to be in a language whose stop words are words of English, too.
 */
export function possibleLanguages(words: readonly string[]): LatinLanguage[] {
  const { counts } = countStopWords(words);
  const most = Math.max(...counts);
  const possible = LATIN_LANGUAGES.filter((_, place) => counts[place] === most);
  const isDecided = possible.some((language) => !LIKE_ENGLISH.includes(language));
  return isDecided ? possible : LATIN_LANGUAGES;
}

export function isLatin(language: Language): language is LatinLanguage {
  return language in STOP_WORD_LISTS;
}

/** Whether a folded word has no meaning of its own in a language. */
export function isStopWord(word: string, language: LatinLanguage): boolean {
  return STOP_WORDS.get(language)?.has(word) ?? false;
}

/** How many stop words of each language there are. In the scores, one that several languages share counts less. */
function countStopWords(words: readonly string[]) {
  const counts = LATIN_LANGUAGES.map(() => 0);
  const scores = LATIN_LANGUAGES.map(() => 0);
  let total = 0;
  for (const word of words.slice(0, SAMPLE_SIZE)) {
    total += isNumber(word) ? 0 : 1;
    // "L'asthme" has the stop word "l".
    const elided = word.indexOf("'");
    const places = PLACES.get(elided > 0 ? word.slice(0, elided) : word) ?? [];
    for (const place of places) {
      counts[place] = (counts[place] ?? 0) + 1;
      scores[place] = (scores[place] ?? 0) + 1 / places.length;
    }
  }
  return { counts, scores, total };
}

function isNumber(word: string): boolean {
  return word.charCodeAt(0) <= "9".charCodeAt(0);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
