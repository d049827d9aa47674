import type { SentenceAnalysis } from "./analyze-passage";
import type { ContentTerm } from "./words";

/** The words of a claim that replace others in the sentence it repeats. */
export interface Substitution {
  added: readonly ContentTerm[];
  removed: readonly ContentTerm[];
}

/** Longer sentences aren't compared word by word; it bounds the time. */
const MAX_TERMS = 80;

/** Pairs of words between the words that claim and sentence have in common, in the same order. */
export function substitutionsOf(
  claim: SentenceAnalysis,
  sentence: SentenceAnalysis,
): Substitution[] {
  const [own, said] = [claim.terms, sentence.terms];
  if (own.length > MAX_TERMS || said.length > MAX_TERMS) {
    return [];
  }
  const found: Substitution[] = [];
  let [from, start] = [0, 0];
  for (const [at, other] of [...commonPlaces(own, said), [own.length, said.length] as const]) {
    found.push({ added: own.slice(from, at), removed: said.slice(start, other) });
    [from, start] = [at + 1, other + 1];
  }
  return found.filter(({ added, removed }) => added.length > 0 && removed.length > 0);
}

/** The places of a longest common sequence of words. */
function commonPlaces(
  own: readonly ContentTerm[],
  said: readonly ContentTerm[],
): (readonly [number, number])[] {
  const lengths = commonLengths(own, said);
  const places: (readonly [number, number])[] = [];
  for (let [at, other] = [0, 0]; at < own.length && other < said.length; ) {
    if (own[at]?.stem === said[other]?.stem) {
      places.push([at, other]);
      [at, other] = [at + 1, other + 1];
    } else if ((lengths[at + 1]?.[other] ?? 0) >= (lengths[at]?.[other + 1] ?? 0)) {
      at += 1;
    } else {
      other += 1;
    }
  }
  return places;
}

/** For each two places, how many words both have in common from there on, in the same order. */
function commonLengths(own: readonly ContentTerm[], said: readonly ContentTerm[]): Uint8Array[] {
  const rows = Array.from({ length: own.length + 1 }, () => new Uint8Array(said.length + 1));
  for (let at = own.length - 1; at >= 0; at -= 1) {
    const [row, next] = [rows[at], rows[at + 1]];
    for (let other = said.length - 1; row && next && other >= 0; other -= 1) {
      row[other] =
        own[at]?.stem === said[other]?.stem
          ? 1 + (next[other + 1] ?? 0)
          : Math.max(next[other] ?? 0, row[other + 1] ?? 0);
    }
  }
  return rows;
}
