import { oncePer } from "@/lib/text/memoized";
import type { SentenceAnalysis } from "./analyze-passage";
import type { ContentTerm } from "./words";

/** Lighter words say too little to tell whether two phrases are about the same thing. */
const TELLING = 0.5;

/** The places of a claim's terms in one sentence. */
export interface Alignment {
  sentence: SentenceAnalysis;
  /** For each term of the claim, the terms of the sentence that mean the same: by stem, root, synonym or abbreviation. */
  places: readonly (readonly number[])[];
}

export function alignmentOf(claim: SentenceAnalysis, sentence: SentenceAnalysis): Alignment {
  const byKey = indexOf(sentence);
  const places = claim.terms.map(({ keys }) => {
    const found = keys.flatMap((key) => (key.startsWith("^") ? [] : (byKey.get(key) ?? [])));
    return found.length > 1 ? [...new Set(found)] : found;
  });
  return { sentence, places };
}

/** The terms of a sentence by key, read once however many claims are compared with it. */
const indexOf = oncePer((sentence: SentenceAnalysis): ReadonlyMap<string, readonly number[]> => {
  const byKey = new Map<string, number[]>();
  for (const [at, { keys }] of sentence.terms.entries()) {
    for (const key of new Set(keys)) {
      byKey.set(key, [...(byKey.get(key) ?? []), at]);
    }
  }
  return byKey;
});

export function isTelling({ word }: ContentTerm): boolean {
  return word.weight >= TELLING;
}

export function isPlaced(alignments: readonly Alignment[], index: number): boolean {
  return alignments.some(({ places }) => (places[index] ?? []).length > 0);
}
