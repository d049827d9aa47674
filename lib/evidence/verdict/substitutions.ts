import { areShortAndLong, isAliasIn } from "./aliases";
import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";
import { namedBefore, pointsBack, startsPointing } from "./anaphora";
import { sharedWeight, weightOfTerms } from "./coverage";
import { namesOf, newSubjectsOf, termKeysOf } from "./subject-names";
import type { ContentTerm } from "./words";

/** The words of a claim and a sentence between two words that they share. */
interface Gap {
  added: readonly ContentTerm[];
  removed: readonly ContentTerm[];
}

/**
 * Whether a claim repeats a sentence with another subject or name, "B lowers fever" for "A lowers fever", unless another
 * sentence says the rest of the claim too. "It" and "this drug" may stand for what the title or an earlier sentence names.
 */
export function exchangesSubject(
  claim: SentenceAnalysis,
  analyzed: AnalyzedPassage,
  evidence: readonly SentenceAnalysis[],
): boolean {
  const closest = closestTo(claim, evidence);
  const rests = evidence.map((sentence) =>
    restOfExchange(claim, sentence, { analyzed, isClosest: sentence === closest }),
  );
  return rests.some((rest, at) => {
    const said = rest && sharedWeight(rest, evidence[at]?.terms ?? []);
    return (
      said !== null &&
      !evidence.some(
        ({ terms }, other) => rests[other] === null && sharedWeight(rest ?? [], terms) >= said,
      )
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

/** The claim without the words it exchanges for a sentence's subject or name; null if it exchanges none. */
function restOfExchange(
  claim: SentenceAnalysis,
  sentence: SentenceAnalysis,
  { analyzed, isClosest }: { analyzed: AnalyzedPassage; isClosest: boolean },
): readonly ContentTerm[] | null {
  const at = analyzed.analyses.indexOf(sentence);
  if (analyzed.rowSentences[at] || sharedWeight(claim.terms, sentence.terms) < LEAST_COMMON) {
    return null;
  }
  const gaps = gapsBetween(claim, sentence);
  // Inside the claim, only the closest sentence's names count: others may well have different ones.
  const compared = isClosest ? gaps : gaps.filter((gap) => opens(gap, claim, sentence));
  const exchanged = compared.find(exchangeIn(claim, sentence, { analyzed, at, gaps }));
  return exchanged ? claim.terms.filter((term) => !exchanged.added.includes(term)) : null;
}

interface Surroundings {
  analyzed: AnalyzedPassage;
  /** The sentence's index in it. */
  at: number;
  gaps: readonly Gap[];
}

function exchangeIn(
  claim: SentenceAnalysis,
  sentence: SentenceAnalysis,
  { analyzed, at, gaps }: Surroundings,
): (gap: Gap) => boolean {
  const named = termKeysOf(namedBefore(analyzed, at));
  const title = termKeysOf([analyzed.label.analysis]);
  const own = keysIn(gaps.flatMap(({ added }) => added));
  const said = keysIn(gaps.flatMap(({ removed }) => removed));
  return (gap) => {
    const isOpening = opens(gap, claim, sentence);
    const opensPointing = isOpening && startsPointing(sentence);
    const isPointing =
      opensPointing || gap.removed.some(({ token }) => pointsBack(sentence, token));
    // A word that only moved shows up in another gap.
    const removed = gap.removed.filter((term) => !isIn(own, term));
    const isTitle = removed.some((term) => isIn(title, term));
    const added = gap.added.filter(
      (term) =>
        term.direction === null &&
        !isIn(said, term) &&
        !(isPointing && isIn(named, term)) &&
        // Only English phrases that point back are known.
        !(analyzed.rules !== "en" && isIn(title, term)) &&
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
  };
}

/** A claim that shares less with a sentence doesn't repeat it. */
const LEAST_COMMON = 0.2;

function keysIn(terms: readonly ContentTerm[]): ReadonlySet<string> {
  return new Set(terms.flatMap(namesOf));
}

function isIn(keys: ReadonlySet<string>, term: ContentTerm): boolean {
  return namesOf(term).some((key) => keys.has(key));
}

/** In "we found" and "it often causes", the first content word isn't the subject. */
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

/** At least this share of the claim must remain beside the exchange. */
const SHARED = 0.3;
/** Claim and sentence must share at least this much of what remains of each. */
const ALIKE = 0.7;

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

/** Longer sentences aren't compared word by word, which bounds the time. */
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
