import { termsOf } from "@/lib/text/analyzer";
import synonymGroups from "./synonyms.json" with { type: "json" };

/** Content terms with "anaemia" and "anemia", "oesophagus" and "esophagus" made one. */
export function foldedTermsOf(text: string): string[] {
  return termsOf(text).map((term) => term.replace(/[ao]e/g, "e"));
}

/** Everyday words and the ones that sources use for them, and forms that no stemmer brings together. */
const SYNONYMS = synonymGroups.map((group) => new Set(foldedTermsOf(group.join(" "))));

/** The stems that everyday speech takes for the same thing as a stem. */
export function synonymsOf(term: string): Set<string> {
  return new Set(SYNONYMS.filter((group) => group.has(term)).flatMap((group) => [...group]));
}

/** Ends that tell forms of one word apart, as the stemmer leaves them: "hypoglycem" and "hypoglycemia". */
const ENDINGS = new Set([
  "",
  ..."a ia ic i y is e s t tic al ial ical ism ist ous c ed ing".split(" "),
]);
const LEAST_COMMON = 5;

/** Whether two stems are forms of one word that the stemmer keeps apart. */
export function areForms(one: string, other: string): boolean {
  let common = 0;
  while (common < one.length && one[common] === other[common]) {
    common += 1;
  }
  return (
    common >= LEAST_COMMON && ENDINGS.has(one.slice(common)) && ENDINGS.has(other.slice(common))
  );
}
