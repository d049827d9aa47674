import { abbreviationsIn, isAliasIn } from "./aliases";
import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";
import { sharedWeight } from "./coverage";
import { namesOf, newSubjectsOf, type Subject, termKeysOf } from "./subject-names";
import { substitutionsOf } from "./substitutions";
import type { ContentTerm } from "./words";

/**
 * Whether a claim names a subject (a drug, disease, organism, measure, person …) that is in neither the passage nor
 * its title: `absent`, or `replaced` if the claim repeats a sentence with this subject instead of the sentence's own.
 */
export type SubjectConflict = "absent" | "replaced";

export function subjectConflict(
  claim: SentenceAnalysis,
  analyzed: AnalyzedPassage,
  evidence: readonly SentenceAnalysis[],
): SubjectConflict | null {
  const near = nearOf(claim, evidence);
  if (exchangesPhrase(claim, near)) {
    return "replaced";
  }
  const known = termKeysOf(near);
  const added = newSubjectsOf(claim, (key) => known.has(key)).slice(0, MAX_SUBJECTS);
  if (added.length === 0) {
    return null;
  }
  const isShortened = abbreviationsIn(claim, near);
  const replacing = added.filter((subject) => !isShortened(subject));
  const replaced = replacing.length > 0 ? leftOut(claim, near) : [];
  const isReplaced = replaced.length > 0 && !replacing.every(isAliasIn(analyzed, replaced));
  if (isReplaced && analyzed.rules === "en") {
    return "replaced";
  }
  const named = termKeysOf([analyzed.label.analysis]);
  const unnamed = added.filter(({ term }) => !namesOf(term).some((key) => named.has(key)));
  const absent = unnamed.filter(
    ({ term }) => !namesOf(term).some((key) => analyzed.sentencesByKey.has(key)),
  );
  const all = [analyzed.label.analysis, ...analyzed.analyses];
  if (absent.length > 0 && !absent.every(abbreviationsIn(claim, all))) {
    return "absent";
  }
  return takesPlace(claim, evidence, unnamed) ? "absent" : null;
}

/** Whether a claim has a known phrase such as "heart attack" where the sentences have another such as "heart failure". */
function exchangesPhrase(claim: SentenceAnalysis, near: readonly SentenceAnalysis[]): boolean {
  const [own, said] = [termKeysOf([claim]), termKeysOf(near)];
  return (
    phrasesOf(claim).some((concept) => !said.has(concept)) &&
    near.flatMap(phrasesOf).some((concept) => !own.has(concept))
  );
}

/** The concepts of phrases of several words. */
function phrasesOf({ terms }: SentenceAnalysis): string[] {
  return terms.flatMap(({ keys }, at) =>
    keys.filter((key) => key.startsWith("#") && terms[at + 1]?.keys.includes(key)),
  );
}

/** Whether a subject replaces another word of the sentence. */
function takesPlace(
  claim: SentenceAnalysis,
  evidence: readonly SentenceAnalysis[],
  unnamed: readonly Subject[],
): boolean {
  const isAdded = (term: ContentTerm) => unnamed.some((subject) => subject.term === term);
  return evidence.some((sentence) => {
    const mayBeReplaced = replaceableIn(claim, sentence);
    return substitutionsOf(claim, sentence).some(
      ({ added, removed }) => added.some(isAdded) && removed.some(mayBeReplaced),
    );
  });
}

/** The subjects of a similar sentence that the claim leaves out, and of one that it repeats any other telling word. */
function replaceableIn(
  claim: SentenceAnalysis,
  sentence: SentenceAnalysis,
): (term: ContentTerm) => boolean {
  const shared = Math.min(
    sharedWeight(sentence.terms, claim.terms),
    sharedWeight(claim.terms, sentence.terms),
  );
  const subjects = shared >= SIMILAR ? leftOut(claim, [sentence]).map(({ term }) => term) : [];
  const claimKeys = termKeysOf([claim]);
  return (term) =>
    subjects.includes(term) ||
    (shared >= NEAR &&
      term.word.weight >= PLAIN &&
      !term.keys.some((key) => claimKeys.has(key)) &&
      !POINTING.test(sentence.tokens[term.token - 1]?.lower ?? ""));
}

/** A short claim with another subject in it repeats less of a sentence than a long one. */
const SIMILAR = 0.5;
/** The weight of words that are neither common nor adverbs. */
const PLAIN = 1;
/** From this shared weight on, a claim says what a sentence says, maybe about something else. */
const NEAR = 0.7;
/** Bounds the time on long claims. */
const MAX_SUBJECTS = 24;

/** The sentences that the claim says almost entirely, and that together say almost all of it. */
function nearOf(
  { terms }: SentenceAnalysis,
  evidence: readonly SentenceAnalysis[],
): SentenceAnalysis[] {
  const near = evidence.filter((sentence) => sharedWeight(sentence.terms, terms) >= NEAR);
  const said = near.flatMap((sentence) => sentence.terms);
  return sharedWeight(terms, said) >= NEAR ? near : [];
}

/** The subjects that the repeated sentences name and the claim leaves out; "this cancer" points to one named before. */
function leftOut(claim: SentenceAnalysis, repeated: readonly SentenceAnalysis[]): Subject[] {
  const claimKeys = termKeysOf([claim]);
  return repeated.flatMap((analysis) =>
    newSubjectsOf(analysis, (key) => claimKeys.has(key)).filter(
      ({ term }) => !POINTING.test(analysis.tokens[term.token - 1]?.lower ?? ""),
    ),
  );
}

const POINTING = /^(?:this|these|that|those|such|its|their)$/;
