import { termsOf } from "@/lib/text/analyzer";
import { classTermOf, withClassWords } from "@/lib/text/drug-classes";
import { memoized } from "@/lib/text/memoized";
import synonymGroups from "./synonyms.json" with { type: "json" };

const CACHE_SIZE = 5000;
const SYNONYM_STRENGTH = 0.8;
const FORM_STRENGTH = 0.9;

/** Everyday words and their technical synonyms, and forms that the stemmer doesn't unify. */
const SYNONYMS = synonymGroups.map((group) => new Set(termsOf(group.join(" "))));

export function synonymsOf(term: string): Set<string> {
  return new Set(SYNONYMS.filter((group) => group.has(term)).flatMap((group) => [...group]));
}

/** The terms that match a term, each with its strength: itself, its forms, its synonyms, and a drug's class. */
export const variantsOf: (term: string) => ReadonlyMap<string, number> = memoized(
  CACHE_SIZE,
  (term) => {
    const drugClass = classTermOf(term);
    return new Map([
      ...(drugClass === null ? [] : [[drugClass, SYNONYM_STRENGTH] as const]),
      ...[...synonymsOf(term)].map((other) => [other, SYNONYM_STRENGTH] as const),
      ...sameWordsOf(term).map((other) => [other, FORM_STRENGTH] as const),
      [term, 1],
    ]);
  },
);

/** Endings that the stemmer leaves on forms of one word: "hypoglycem" and "hypoglycemia". */
const ENDINGS = new Set([
  "",
  ..."a ia ic i y is e s t tic al ial ical ism ist ous c ed ing".split(" "),
]);
const MIN_COMMON = 5;
const MAX_ENDING_LENGTH = Math.max(...[...ENDINGS].map(({ length }) => length));

/** "SSRI" and "SSRIs", "PPI" and "PPIs": the stemmer keeps an s after a word's only vowel. */
const SHORT_PLURAL = /^[b-df-hj-np-tv-xz]{2,}[aeiou]s?$/;

/** Every word that `isSameWord` accepts, and the other number of an abbreviation. */
function sameWordsOf(term: string): string[] {
  const words: string[] = [];
  if (SHORT_PLURAL.test(term)) {
    return [term.endsWith("s") ? term.slice(0, -1) : `${term}s`];
  }
  const first = Math.max(MIN_COMMON, term.length - MAX_ENDING_LENGTH);
  for (let end = first; end <= term.length; end += 1) {
    if (ENDINGS.has(term.slice(end))) {
      words.push(...[...ENDINGS].map((ending) => term.slice(0, end) + ending));
    }
  }
  return words.filter((word) => isSameWord(term, word));
}

export function isSameWord(one: string, other: string): boolean {
  let common = 0;
  while (common < one.length && one[common] === other[common]) {
    common += 1;
  }
  return common >= MIN_COMMON && ENDINGS.has(one.slice(common)) && ENDINGS.has(other.slice(common));
}

export function hasAny(terms: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const other of others) {
    if (terms.has(other)) {
      return true;
    }
  }
  return false;
}

const LIKE = /(?<=\p{L})[-\s]like(?=\s(?:syndrome|disease|disorder|illness)\b)/giu;

const LABEL_A = /\b(hepatitis|influenza|vitamin|h(?:a?e)mophilia) a(?![\p{L}\p{N}'’])/giu;

const UNITED_STATES =
  /\b(?:[Uu]nited [Ss]tates(?: of [Aa]merica)?|USA?|U\.S\.(?:A\.)?|America|(?<!African[ -])American(?:s|(?= (?:children|kids|adults|people|women|men)\b)))(?![\p{L}\p{N}])/gu;

/** The terms of a passage, with the stop words that tell what it is about. */
export function readTerms(text: string): string[] {
  return termsOf(withStopWords(text));
}

/** "Larsen-like syndrome" isn't Larsen syndrome, hepatitis A is one kind, and the US a country, but "like", "a" and "us" are stop words. */
export function withStopWords(text: string): string {
  const kept = text
    .replace(LIKE, " lookalike")
    .replace(LABEL_A, "$1 labela")
    .replace(UNITED_STATES, "unitedstates");
  return withClassWords(kept);
}
