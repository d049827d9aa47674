import { answerFeatures, logitOf, probabilityOf } from "@/lib/evidence/questions/features";
import { isOtherKind } from "@/lib/evidence/questions/kinds";
import { namedIn } from "@/lib/evidence/questions/names";
import type { Question } from "@/lib/evidence/questions/question";
import { requirementOf } from "@/lib/evidence/questions/required-words";
import { hasAny } from "@/lib/evidence/questions/terms";
import { termsOf } from "@/lib/text/analyzer";
import { isCommonWord } from "@/lib/text/common-words";
import { type Candidate, type Corpus, idfOf, LEAD_CHARACTERS } from "./corpus";
import fitted from "./likely-weights.json" with { type: "json" };
import { isPlaceholder, isQuotable } from "./quotable";
import { type QueryTerm, type ScoredCandidate, type TermMatch, totalWeight } from "./score";

/** A sentence that may answer, and how likely it does, from 0 to 1. */
export interface LikelyAnswer {
  candidate: Candidate;
  likelihood: number;
}

/** Only the best sentences, by their score, are compared. */
const COMPARED = 60;
const MAX_SUM = 30;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}-]*/gu;

/**
 * The sentence that most likely answers, judged by how much of the question it has and by what the rules say of it.
 * Null if there is none to quote, or if no source mentions something that the question names: then words in common
 * tell nothing. One regression chooses the sentence and another one tells how likely it answers:
 * both are fitted to labeled questions by `npm run bench -- answer-weights`.
 */
export function likeliestOf(
  question: Question,
  corpus: Corpus,
  scored: readonly ScoredCandidate[],
): LikelyAnswer | null {
  if (hasUnknownName(question, corpus)) {
    return null;
  }
  const described = describeCandidates(question, corpus, scored);
  const sums = described.map(({ features }) => logitOf(features, fitted.choose));
  const at = sums.indexOf(Math.max(...sums));
  const best = described[at];
  if (best === undefined) {
    return null;
  }
  const features = { ...best.features, ...comparisonFeatures(sums, at) };
  return { candidate: best.candidate, likelihood: probabilityOf(features, fitted.answer) };
}

/** What is known of the sentences that can be quoted, the best-scored ones first. */
export function describeCandidates(
  question: Question,
  corpus: Corpus,
  scored: readonly ScoredCandidate[],
) {
  const named = new Set(corpus.candidates.flatMap((each) => [...namedIn(question, each)]));
  const meets = requirementOf(question);
  const meetsRequirement = ({ lead, text }: Candidate): boolean =>
    meets(`${lead?.slice(0, LEAD_CHARACTERS) ?? ""} ${text}`);
  const compared = scored
    .toSorted((one, other) => other.score - one.score)
    .values()
    .filter(({ candidate }) => mentionsNames(question, candidate, named))
    .filter(({ candidate }) => isEligible(question, candidate) && meetsRequirement(candidate))
    .take(COMPARED)
    .toArray();
  const owns = compared.map(({ matches }) => ownShareOf(matches)).sort((one, other) => other - one);
  const [most = 0, second = 0] = owns;
  const absent = absentShareOf(compared[0]?.matches ?? [], corpus);
  return compared.map(({ candidate, score, matches }) => {
    const own = ownShareOf(matches);
    const shared = answerFeatures(question, candidate, matches.map(toFeatureMatch));
    return {
      candidate,
      features: {
        ...shared,
        score,
        own_of_most: own / (most || 1),
        own_over_second: own - second,
        on_question: onQuestionShareOf(candidate, matches, corpus),
        rank: candidate.rank / 10,
        listed: Number(candidate.list !== null),
        absent,
        direct_absent: (1 - shared.story) * absent,
      },
    };
  });
}

/** Whether the question names something that no source mentions, such as a drug. */
function hasUnknownName(question: Question, { documentFrequency }: Corpus): boolean {
  const words = (question.text.toLowerCase().match(WORD) ?? []).filter(
    (word) => ![word, ...termsOf(word)].some(isCommonWord),
  );
  const unusual = new Set(words.flatMap((word) => termsOf(word)));
  return question.subject
    .entries()
    .some(
      ([term, forms]) =>
        unusual.has(term) && ![...forms].some((form) => documentFrequency.has(form)),
    );
}

/** Whether a sentence, its headings or its title mention all by which the question names a document. */
function mentionsNames(
  { subject, context }: Question,
  { own, context: place, title, names }: Candidate,
  named: ReadonlySet<string>,
): boolean {
  return [...named].every((term) => {
    const forms = subject.get(term) ?? context.get(term) ?? new Set([term]);
    return [own, place, title, ...names].some((terms) => hasAny(terms, forms));
  });
}

function isEligible(question: Question, candidate: Candidate): boolean {
  return (
    isQuotable(candidate, question) &&
    !isPlaceholder(candidate.text) &&
    !isOtherKind(question, candidate)
  );
}

/** How the sentence at an index compares with the others, and with none of them being an answer. */
export function comparisonFeatures(sums: readonly number[], at: number) {
  const powers = sums.map((sum) => Math.exp(Math.max(-MAX_SUM, Math.min(MAX_SUM, sum))));
  const all = powers.reduce((sum, power) => sum + power, 1);
  return { sum: sums[at] ?? 0, share: (powers[at] ?? 0) / all, sentences: Math.log(sums.length) };
}

function toFeatureMatch({ queryTerm: { weight, isSubject }, own, best }: TermMatch) {
  return { weight, own, any: best, isSubject };
}

function ownShareOf(matches: readonly TermMatch[]): number {
  const covered = matches.reduce((sum, { queryTerm, own }) => sum + queryTerm.weight * own, 0);
  return covered / (totalWeight(matches.map(({ queryTerm }) => queryTerm)) || 1);
}

/** How much of what a sentence says the question says, too. */
function onQuestionShareOf(
  { own }: Candidate,
  matches: readonly TermMatch[],
  corpus: Corpus,
): number {
  const asked = new Set(matches.flatMap(({ queryTerm }) => [...queryTerm.forms.keys()]));
  const weigh = (terms: ReadonlySet<string>): number =>
    [...terms].reduce((sum, term) => sum + idfOf(corpus, [term]), 0);
  return weigh(new Set([...own].filter((term) => asked.has(term)))) / (weigh(own) || 1);
}

/** The weight of the subject's terms that no source has. */
function absentShareOf(matches: readonly TermMatch[], { documentFrequency }: Corpus): number {
  const terms = matches.map(({ queryTerm }) => queryTerm);
  const isAbsent = ({ isSubject, forms }: QueryTerm): boolean =>
    isSubject && forms.keys().every((form) => !documentFrequency.has(form));
  return totalWeight(terms.filter(isAbsent)) / (totalWeight(terms) || 1);
}
