import type { Candidate, Corpus } from "./corpus";
import type { Question } from "./question";
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
export function select(question: Question, corpus: Corpus): Candidate[] {
  const answers = scoreAll(question, corpus)
    .filter((scored) => isAnswer(scored, question))
    .sort((one, other) => other.score - one.score);
  const [best] = answers;
  if (!best) {
    return [];
  }
  const list = isBroad(best) && question.aspects.length > 0 ? listOf(best, answers) : [];
  const near = answers.filter((answer) => isNear(answer, best, question));
  const units = isBroad(best) || question.isComparison ? BROAD_UNITS : NARROW_UNITS;
  const limit =
    list.length > 0
      ? { units: Math.max(BROAD_UNITS, list.length + 2), words: LIST_WORDS }
      : { units, words: WORDS };
  return choose([best, ...list, ...near], limit);
}

/** The list that answers a broad question as a whole, such as everything under "Symptoms". */
function listOf(best: ScoredCandidate, answers: readonly ScoredCandidate[]): ScoredCandidate[] {
  const anchor = answers.find(
    ({ candidate, score, isHeaded }) =>
      isHeaded &&
      candidate.list !== null &&
      candidate.source.title === best.candidate.source.title &&
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
  const isAside = question.aspects.length > 0 && !answer.isHeaded;
  const isElsewhere = answer.candidate.source.title !== best.candidate.source.title;
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

/** Minimum share of the question's weight, and of its subject's, that an answer and its context must match. */
const LEAST = { coverage: 0.45, subject: 0.58 };
/** "What is X?" consists of the subject only, and half a name is a different thing. */
const MIN_DEFINED = { coverage: 0.45, subject: 0.72 };
/** A sentence may be about one of the things compared. */
const MIN_COMPARED = { coverage: 0.35, subject: 0.35 };
/** From here on, matching the subject makes up for not matching the aspect. */
const FULL_SUBJECT = 0.8;

function isAnswer(scored: ScoredCandidate, question: Question): boolean {
  const { matches } = scored;
  const subject = matches.filter(({ queryTerm }) => queryTerm.isSubject);
  const min = leastOf(question);
  return (
    hasTopic(question, subject) &&
    coverageOf(matches.filter(({ queryTerm }) => !queryTerm.isAside)) >= min.coverage &&
    coverageOf(subject) >= min.subject &&
    staysOnTopic(matches) &&
    (matchesAspect(scored, question) ||
      (question.aspects.every(({ isLoose }) => isLoose) && coversSubject(subject)))
  );
}

/** "How do I start?" alone has no topic. */
function hasTopic({ aspects, anchors }: Question, subject: readonly TermMatch[]): boolean {
  return subject.length > 0 || aspects.length > 0 || anchors.size > 0;
}

function leastOf({ isDefinition, isComparison, aspects }: Question): typeof LEAST {
  if (isComparison) {
    return MIN_COMPARED;
  }
  return isDefinition && aspects.length === 0 ? MIN_DEFINED : LEAST;
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

function staysOnTopic(matches: readonly TermMatch[]): boolean {
  const anchors = matches.filter(({ queryTerm }) => queryTerm.isAnchor);
  const isAnchored = anchors.length === 0 || anchors.some(({ best }) => best > 0);
  return isAnchored && matches.every(({ queryTerm, best }) => !queryTerm.isRequired || best > 0);
}

function matchesAspect({ isHeaded, candidate }: ScoredCandidate, { aspects }: Question): boolean {
  return (
    isHeaded ||
    aspects.length === 0 ||
    aspects.some(({ stems }) => [...stems].some((stem) => candidate.own.has(stem)))
  );
}

/** Whether title or headings match part of the subject, and its own words the rest. */
function coversSubject(subject: readonly TermMatch[]): boolean {
  const isPlaced = subject.some(({ context, title }) => context > 0 || title > 0);
  const speaks = subject.some(({ own, title }) => own > 0 && title === 0);
  const found = subject.filter(({ best }) => best > 0);
  return isPlaced && speaks && found.length > 1 && coverageOf(subject) >= FULL_SUBJECT;
}
