import { definesSubject, isForDefinition } from "@/lib/evidence/questions/definition";
import { addressesRelation, isAboutSubject, meetsConstraints } from "@/lib/evidence/questions/fit";
import { namedIn } from "@/lib/evidence/questions/names";
import type { Question } from "@/lib/evidence/questions/question";
import { requirementOf } from "@/lib/evidence/questions/required-words";
import { variantsOf } from "@/lib/evidence/questions/terms";
import { termsOf } from "@/lib/text/analyzer";
import { type Candidate, type Corpus, documentOf } from "./corpus";
import { isPlaceholder, isQuotable, pointsBack } from "./quotable";
import {
  type QueryTerm,
  type ScoredCandidate,
  scoreAll,
  type TermMatch,
  totalWeight,
} from "./score";

const WORDS = 120;
const BROAD_UNITS = 5;
/** Specific questions get short answers. */
const NARROW_UNITS = 3;
const LIST_ITEMS = 6;
const LIST_WORDS = 170;
/** Share of the best score from which a whole list is the answer. */
const LIST_SHARE = 0.7;
/** Share of the best score that further units must reach, by the kind of the best one. */
const BROAD_SHARE = 0.6;
const NARROW_SHARE = 0.75;
const DEFINITION_SHARE = 0.8;
/** For units outside the heading or document that answers. */
const ASIDE_SHARE = 0.85;
/** Further units must match this share of the subject terms that the best one matches. */
const SHARED_SUBJECT = 0.75;
/** Units that share this much of their terms are duplicates. */
const SAME_TERMS = 0.6;

/** The units that answer the question, best first; none if the sources don't answer it. */
export function select(
  question: Question,
  corpus: Corpus,
  scored: readonly ScoredCandidate[] = scoreAll(question, corpus),
): Candidate[] {
  const answers = scored
    .filter((each) => isAnswer(each, question))
    .sort((one, other) => other.score - one.score);
  const [best] = answers;
  if (!best) {
    return [];
  }
  const definition = isForDefinition(question) ? definitionOf(answers, question, corpus) : [];
  if (definition.length > 0 || (isForDefinition(question) && !question.isLabel)) {
    return definition;
  }
  const list = isBroad(best) && question.relations.length > 0 ? listOf(best, answers) : [];
  const near = answers.filter((answer) => isNear(answer, best, question));
  const units = isBroad(best) || question.isComparison ? BROAD_UNITS : NARROW_UNITS;
  const limit =
    list.length > 0
      ? { units: Math.max(BROAD_UNITS, list.length + 2), words: LIST_WORDS }
      : { units, words: WORDS };
  const chosen = choose([best, ...list, ...near], limit);
  return isSilent(question, chosen) ? [] : chosen;
}

/** Whether the units say nothing of what is asked, lack what any answer has, or say nothing of one side of a comparison. */
function isSilent(question: Question, chosen: readonly Candidate[]): boolean {
  const meetsRequirement = requirementOf(question);
  return (
    chosen.every(({ text, list }) => list === null && isPlaceholder(text)) ||
    !chosen.some(({ text, lead }) => meetsRequirement(`${lead ?? ""} ${text}`)) ||
    (question.isComparison && !coversAll(question, chosen))
  );
}

/** The best definition with what its source says next, and one of another document. */
function definitionOf(
  answers: readonly ScoredCandidate[],
  question: Question,
  corpus: Corpus,
): Candidate[] {
  const definitions = answers.filter(({ candidate }) => definesSubject(question, candidate));
  const [best] = definitions;
  if (!best) {
    return [];
  }
  const { source, index } = best.candidate;
  // "This form of cancer develops in the retina": read after the definition, it needs no other sentence.
  const next = corpus.candidates.filter(
    (candidate) =>
      candidate.source === source &&
      candidate.index === index + 1 &&
      pointsBack(candidate) &&
      isQuotable(candidate, question),
  );
  const further = answers.filter(
    ({ candidate }) =>
      candidate.source === source && candidate.index > index && candidate.isOpening,
  );
  const other = definitions.find(
    ({ candidate, score }) =>
      documentOf(candidate.source) !== documentOf(source) && score >= ASIDE_SHARE * best.score,
  );
  const continued = next.map((candidate) => ({ ...best, candidate }));
  return choose([best, ...continued, ...further, ...(other ? [other] : [])], {
    units: NARROW_UNITS,
    words: WORDS,
  });
}

/** The list that answers a broad question as a whole, such as everything under "Symptoms". */
function listOf(best: ScoredCandidate, answers: readonly ScoredCandidate[]): ScoredCandidate[] {
  const anchor = answers.find(
    ({ candidate, score, isHeaded }) =>
      isHeaded &&
      candidate.list !== null &&
      documentOf(candidate.source) === documentOf(best.candidate.source) &&
      score >= best.score * LIST_SHARE,
  );
  const items = answers
    .filter(
      ({ candidate: { source, list } }) =>
        source === anchor?.candidate.source && list === anchor.candidate.list,
    )
    .sort((one, other) => one.candidate.index - other.candidate.index);
  const first = items.slice(0, LIST_ITEMS);
  return !anchor || first.includes(anchor) ? first : [...first.slice(0, -1), anchor];
}

function isNear(answer: ScoredCandidate, best: ScoredCandidate, question: Question): boolean {
  if (answer.score < best.score * minShare(answer, best, question)) {
    return false;
  }
  const subject = new Set(subjectTermsOf(best));
  const shared = subjectTermsOf(answer).filter((queryTerm) => subject.has(queryTerm));
  return question.isComparison || totalWeight(shared) >= SHARED_SUBJECT * totalWeight([...subject]);
}

function minShare(answer: ScoredCandidate, best: ScoredCandidate, question: Question): number {
  if (question.isDefinition && best.candidate.isOpening) {
    return DEFINITION_SHARE;
  }
  if (!isBroad(best)) {
    return NARROW_SHARE;
  }
  const isAside = question.relations.length > 0 && !answer.isHeaded;
  const isElsewhere = documentOf(answer.candidate.source) !== documentOf(best.candidate.source);
  return isAside || isElsewhere ? ASIDE_SHARE : BROAD_SHARE;
}

function choose(
  answers: readonly ScoredCandidate[],
  limit: { units: number; words: number },
): Candidate[] {
  const chosen: Candidate[] = [];
  let words = 0;
  for (const { candidate } of answers) {
    const length = candidate.text.split(/\s+/).length;
    const fits = chosen.length < limit.units && words + length <= limit.words;
    if (chosen.length === 0 || (fits && !chosen.some((other) => isSame(other, candidate)))) {
      chosen.push(candidate);
      words += length;
    }
  }
  return chosen;
}

function isSame(one: Candidate, other: Candidate): boolean {
  const sizes = [one.own.size, other.own.size];
  // They can't share enough: there is no need to compare the terms.
  if (Math.min(...sizes) < SAME_TERMS * Math.max(...sizes)) {
    return one.text === other.text;
  }
  const shared = [...one.own].filter((term) => other.own.has(term));
  const apart = [...one.own, ...other.own].filter(
    (term) => !(one.own.has(term) && other.own.has(term)),
  );
  // Sentences with different numbers say different things.
  const isAlike =
    shared.length >= SAME_TERMS * (shared.length + apart.length) &&
    !apart.some((term) => /\d/.test(term));
  return one.text === other.text || (shared.length > 0 && isAlike);
}

/** Minimum share of the question's weight that an answer and its context must match. */
const MIN_COVERAGE = 0.45;
/** A sentence may be about one of the things compared. */
const MIN_COMPARED = 0.35;

function isAnswer({ candidate, matches }: ScoredCandidate, question: Question): boolean {
  // Constraints are checked by themselves.
  const isConstraint = (term: string): boolean =>
    question.populations.some(({ stems }) => stems.has(term));
  const asked = matches.filter(
    ({ queryTerm }) => !queryTerm.isAside && !isConstraint(queryTerm.term),
  );
  return (
    isQuotable(candidate, question) &&
    coverageOf(asked) >= (question.isComparison ? MIN_COMPARED : MIN_COVERAGE) &&
    isAboutSubject(question, candidate) &&
    (!pointsBack(candidate) || namedIn(question, candidate).size > 0) &&
    (addressesRelation(question, candidate) || continuesDefinition(question, candidate)) &&
    meetsConstraints(question, candidate)
  );
}

/** The sentences after the one that defines a document's subject. */
function continuesDefinition(question: Question, candidate: Candidate): boolean {
  const { subject } = question;
  return (
    isForDefinition(question) &&
    candidate.isOpening &&
    namedIn(question, candidate).size === subject.size
  );
}

/** "The difference between A and B", "A versus B". */
const SIDES =
  /\b(?:between|compare|distinguish) (?<one>[^?.]{1,60}?) (?:and|with|from|to) (?<other>[^?.,]{1,60})|^\W*(?<first>[^?.,]{1,60}?) (?:vs\.?|versus) (?<second>[^?.,]{1,60})/i;

/** A comparison needs sentences about each of its subjects, and one that names each of its sides. */
function coversAll({ subject, text }: Question, chosen: readonly Candidate[]): boolean {
  const said = new Set(chosen.flatMap(({ own, title }) => [...own, ...title]));
  const { one, other, first, second } = SIDES.exec(text)?.groups ?? {};
  const sides = [one ?? first ?? "", other ?? second ?? ""].map((side) => termsOf(side));
  const isNamed = (terms: readonly string[]): boolean =>
    chosen.some(({ own, title, names }) =>
      terms.every((term) => {
        const forms = [...variantsOf(term).keys()];
        return forms.some(
          (form) => own.has(form) || title.has(form) || names.some((name) => name.has(form)),
        );
      }),
    );
  return (
    [...subject.values()].every((forms) => [...forms].some((form) => said.has(form))) &&
    sides.every(isNamed)
  );
}

/** Whether title and headings alone match the whole subject, so that the whole section answers. */
function isBroad({ matches }: ScoredCandidate): boolean {
  return matches.every(
    ({ queryTerm, context, title }) => !queryTerm.isSubject || context > 0 || title > 0,
  );
}

/** The subject terms that a candidate or its context matches. */
function subjectTermsOf({ matches }: ScoredCandidate): QueryTerm[] {
  return matches
    .filter(({ queryTerm, best }) => queryTerm.isSubject && best > 0)
    .map(({ queryTerm }) => queryTerm);
}

function coverageOf(matches: readonly TermMatch[]): number {
  const covered = matches.reduce((sum, { queryTerm, best }) => sum + queryTerm.weight * best, 0);
  return matches.length === 0
    ? 1
    : covered / totalWeight(matches.map(({ queryTerm }) => queryTerm));
}
