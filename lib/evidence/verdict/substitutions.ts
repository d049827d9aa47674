import { areShortAndLong, isAliasIn } from "./aliases";
import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";
import { namedBefore, pointsBack, startsPointing } from "./anaphora";
import { sharedWeight, weightOfTerms } from "./coverage";
import { namesOf, newSubjectsOf, termKeysOf } from "./subject-names";
import type { ContentTerm } from "./words";

/** The words of a claim and of a sentence between two that they have in common. */
interface Gap {
  added: readonly ContentTerm[];
  removed: readonly ContentTerm[];
}

/**
 * Whether a claim has another subject or name in the place of that of the sentence it follows most closely: "B lowers
 * fever" for "A lowers fever", whatever else the passage says of B. What "it" and "this drug" stand for, the title and
 * the sentences before may name.
 */
export function exchangesSubject(
  claim: SentenceAnalysis,
  analyzed: AnalyzedPassage,
  evidence: readonly SentenceAnalysis[],
): boolean {
  const sentence = closestTo(claim, evidence);
  const at = sentence ? analyzed.analyses.indexOf(sentence) : -1;
  if (!sentence || analyzed.rowSentences[at]) {
    return false;
  }
  const gaps = gapsBetween(claim, sentence);
  const named = termKeysOf(namedBefore(analyzed, at));
  const title = termKeysOf([analyzed.label.analysis]);
  const [own, said] = [
    keysIn(gaps.flatMap(({ added }) => added)),
    keysIn(gaps.flatMap(({ removed }) => removed)),
  ];
  return gaps.some((gap) => {
    const isOpening = opens(gap, claim, sentence);
    const opensPointing = isOpening && startsPointing(sentence);
    const isPointing =
      opensPointing || gap.removed.some(({ token }) => pointsBack(sentence, token));
    // Words that only moved are in another gap.
    const removed = gap.removed.filter((term) => !isIn(own, term));
    const isTitle = removed.some((term) => isIn(title, term));
    const added = gap.added.filter(
      (term) =>
        term.direction === null &&
        !isIn(said, term) &&
        !(isPointing && isIn(named, term)) &&
        !(isTitle && pointsBack(claim, term.token)),
    );
    return (
      added.length > 0 &&
      (removed.length > 0 || opensPointing) &&
      isAlikeOutside(gap, claim, sentence) &&
      (isOpening || hasName(claim, added) || hasName(sentence, removed)) &&
      !areShortAndLong([claim, gap.added], [sentence, gap.removed]) &&
      !added.every(isAliasIn(analyzed, removed))
    );
  });
}

function closestTo(
  { terms }: SentenceAnalysis,
  evidence: readonly SentenceAnalysis[],
): SentenceAnalysis | undefined {
  const closeness = (sentence: SentenceAnalysis) =>
    sharedWeight(sentence.terms, terms) + sharedWeight(terms, sentence.terms);
  return evidence.toSorted((one, other) => closeness(other) - closeness(one))[0];
}

function keysIn(terms: readonly ContentTerm[]): ReadonlySet<string> {
  return new Set(terms.flatMap(namesOf));
}

function isIn(keys: ReadonlySet<string>, term: ContentTerm): boolean {
  return namesOf(term).some((key) => keys.has(key));
}

/** Of "we found" and "it often causes", the first content word is no subject. */
const PRONOUN = /^(?:i|you|he|she|it|we|they|this|these|there|to)$/;

/** Whether both sentences begin with these words, so that their subjects are among them. */
function opens(
  { added, removed }: Gap,
  claim: SentenceAnalysis,
  sentence: SentenceAnalysis,
): boolean {
  return (
    added[0] === claim.terms[0] &&
    (removed.length === 0 || removed[0] === sentence.terms[0]) &&
    !PRONOUN.test(claim.tokens[0]?.lower ?? "")
  );
}

/** Whether one of the words names a subject, or belongs to a known phrase such as "heart attack". */
function hasName(sentence: SentenceAnalysis, terms: readonly ContentTerm[]): boolean {
  const names = newSubjectsOf(sentence, () => false).map(({ term }) => term);
  const isShared = (key: string) =>
    key.startsWith("#") && sentence.terms.filter(({ keys }) => keys.includes(key)).length > 1;
  return terms.some((term) => names.includes(term) || term.keys.some(isShared));
}

/** The least share of a claim that isn't exchanged, and of that and the sentence's other words that both have. */
const [SHARED, ALIKE] = [0.3, 0.7];

function isAlikeOutside(
  { added, removed }: Gap,
  claim: SentenceAnalysis,
  sentence: SentenceAnalysis,
): boolean {
  const own = claim.terms.filter((term) => !added.includes(term));
  const said = sentence.terms.filter((term) => !removed.includes(term));
  return (
    weightOfTerms(own) >= SHARED * weightOfTerms(claim.terms) &&
    sharedWeight(own, sentence.terms) >= ALIKE &&
    sharedWeight(said, claim.terms) >= ALIKE
  );
}

/** Longer sentences aren't compared word by word; it bounds the time. */
const MAX_TERMS = 80;

/** Between the words that claim and sentence have in common, in the same order. */
function gapsBetween(claim: SentenceAnalysis, sentence: SentenceAnalysis): Gap[] {
  const [own, said] = [claim.terms, sentence.terms];
  if (own.length > MAX_TERMS || said.length > MAX_TERMS) {
    return [];
  }
  const found: Gap[] = [];
  let [from, start] = [0, 0];
  for (const [at, other] of [...commonPlaces(own, said), [own.length, said.length] as const]) {
    found.push({ added: own.slice(from, at), removed: said.slice(start, other) });
    [from, start] = [at + 1, other + 1];
  }
  return found;
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
