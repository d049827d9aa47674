import { abbreviationsIn, isAliasIn } from "./aliases";
import type { AnalyzedPassage, SentenceAnalysis } from "./analyze-passage";
import { pointsBack } from "./anaphora";
import { mixesClauses } from "./clauses";
import { sharedWeight } from "./coverage";
import { namesOf, newSubjectsOf, type Subject, termKeysOf } from "./subject-names";
import { exchangesSubject } from "./substitutions";
import type { ContentTerm } from "./words";

/**
 * Whether a claim is about another subject (a drug, disease, organism, measure, person …) than the passage: `absent` if
 * neither the passage nor its title names it, `replaced` if the claim repeats a sentence with this name instead of the
 * sentence's own, `exchanged` if it has other words in their place, which the passage may say of something else.
 */
export type SubjectConflict = "absent" | "exchanged" | "replaced";

export function subjectConflict(
  claim: SentenceAnalysis,
  analyzed: AnalyzedPassage,
  evidence: readonly SentenceAnalysis[],
): SubjectConflict | null {
  const near = nearOf(claim, evidence);
  const known = termKeysOf(near);
  const added = newSubjectsOf(claim, (key) => known.has(key)).slice(0, MAX_SUBJECTS);
  if (replacesName(claim, analyzed, { near, added })) {
    return "replaced";
  }
  if (namesAbsent(claim, analyzed, added)) {
    return "absent";
  }
  const isMixed = evidence.some((sentence) => mixesClauses(claim, sentence));
  return isMixed || exchangesSubject(claim, analyzed, evidence) ? "exchanged" : null;
}

function replacesName(
  claim: SentenceAnalysis,
  analyzed: AnalyzedPassage,
  { near, added }: { near: readonly SentenceAnalysis[]; added: readonly Subject[] },
): boolean {
  if (added.length === 0 || analyzed.rules !== "en") {
    return false;
  }
  const isShortened = abbreviationsIn(claim, near);
  const replacing = added.flatMap((subject) => (isShortened(subject) ? [] : subject.term));
  const replaced = replacing.length > 0 ? leftOut(claim, near) : [];
  return replaced.length > 0 && !replacing.every(isAliasIn(analyzed, replaced));
}

function namesAbsent(
  claim: SentenceAnalysis,
  { label, analyses, sentencesByKey }: AnalyzedPassage,
  added: readonly Subject[],
): boolean {
  const named = termKeysOf([label.analysis]);
  const absent = added.filter(
    ({ term }) => !namesOf(term).some((key) => named.has(key) || sentencesByKey.has(key)),
  );
  return absent.length > 0 && !absent.every(abbreviationsIn(claim, [label.analysis, ...analyses]));
}

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
function leftOut(claim: SentenceAnalysis, repeated: readonly SentenceAnalysis[]): ContentTerm[] {
  const claimKeys = termKeysOf([claim]);
  return repeated.flatMap((analysis) =>
    newSubjectsOf(analysis, (key) => claimKeys.has(key)).flatMap(({ term }) =>
      pointsBack(analysis, term.token) ? [] : term,
    ),
  );
}
