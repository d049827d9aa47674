import { termsOf } from "@/lib/text/analyzer";
import synonymGroups from "./synonyms.json" with { type: "json" };

/** Content terms, with British "anaemia" and "oesophagus" folded to "anemia" and "esophagus". */
export function foldedTermsOf(text: string): string[] {
  return termsOf(text).map((term) => term.replace(/[ao]e/g, "e"));
}

/** Everyday words and their technical synonyms, and forms that the stemmer doesn't unify. */
const SYNONYMS = synonymGroups.map((group) => new Set(foldedTermsOf(group.join(" "))));

export function synonymsOf(term: string): Set<string> {
  return new Set(SYNONYMS.filter((group) => group.has(term)).flatMap((group) => [...group]));
}

/** Endings that the stemmer leaves on forms of one word: "hypoglycem" and "hypoglycemia". */
const ENDINGS = new Set([
  "",
  ..."a ia ic i y is e s t tic al ial ical ism ist ous c ed ing".split(" "),
]);
const MIN_COMMON = 5;

export function isSameWord(one: string, other: string): boolean {
  let common = 0;
  while (common < one.length && one[common] === other[common]) {
    common += 1;
  }
  return common >= MIN_COMMON && ENDINGS.has(one.slice(common)) && ENDINGS.has(other.slice(common));
}
