import type { Candidate, Corpus } from "./corpus";
import { type Needle, weigh } from "./query-terms";
import type { Question } from "./question";
import { type Finding, type Scored, scoreAll } from "./score";

interface Limit {
  units: number;
  words: number;
}

const WORDS = 120;
const BROAD_UNITS = 5;
/** A question that names its fact wants that fact. */
const NARROW_UNITS = 3;
const LIST_ITEMS = 6;
const LIST_WORDS = 170;
/** The share of the best score from which a list is the answer as a whole. */
const LIST_SHARE = 0.7;
/** The share of the best score that a further unit must reach: by the kind of the best. */
const BROAD_SHARE = 0.6;
const NARROW_SHARE = 0.75;
const DEFINITION_SHARE = 0.8;
/** Beyond the heading or the document that answers. */
const ASIDE_SHARE = 0.85;
/** The share of the subject that the best speaks of and that a further unit must speak of too. */
const SHARED_SUBJECT = 0.75;
/** Two units that share this much of their terms say the same. */
const SAME_TERMS = 0.6;

/** The units that answer the question, best first; none when the sources do not answer it. */
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
  const units = isBroad(best) || question.compares ? BROAD_UNITS : NARROW_UNITS;
  const limit =
    list.length > 0
      ? { units: Math.max(BROAD_UNITS, list.length + 2), words: LIST_WORDS }
      : { units, words: WORDS };
  return choose([best, ...list, ...near], limit);
}

/** The items of the list that answers a broad question as a whole: what stands below "Symptoms". */
function listOf(best: Scored, answers: readonly Scored[]): Scored[] {
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

function isNear(answer: Scored, best: Scored, question: Question): boolean {
  if (answer.score < best.score * leastShare(answer, best, question)) {
    return false;
  }
  const subject = new Set(needleSubject(best));
  const shared = needleSubject(answer).filter((needle) => subject.has(needle));
  return question.compares || weigh(shared) >= SHARED_SUBJECT * weigh([...subject]);
}

function leastShare(answer: Scored, best: Scored, question: Question): number {
  if (question.wantsDefinition && best.candidate.isOpening) {
    return DEFINITION_SHARE;
  }
  if (!isBroad(best)) {
    return NARROW_SHARE;
  }
  const isAside = question.aspects.length > 0 && !answer.isHeaded;
  const isElsewhere = answer.candidate.source.title !== best.candidate.source.title;
  return isAside || isElsewhere ? ASIDE_SHARE : BROAD_SHARE;
}

function choose(answers: readonly Scored[], limit: Limit): Candidate[] {
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
  const shared = [...one.own].filter((term) => other.own.has(term));
  const apart = [...one.own, ...other.own].filter(
    (term) => !(one.own.has(term) && other.own.has(term)),
  );
  // Sentences that differ in a number say different things, however alike they are.
  const isAlike =
    shared.length >= SAME_TERMS * (shared.length + apart.length) &&
    !apart.some((term) => /\d/.test(term));
  return one.text === other.text || (shared.length > 0 && isAlike);
}

/** The share of the question's weight, and of its subject's, that an answer and its context must speak of. */
const LEAST = { coverage: 0.45, subject: 0.58 };
/** "What is X?" is all subject, and half a name names something else. */
const LEAST_DEFINED = { coverage: 0.45, subject: 0.72 };
/** Of two things to compare a sentence may speak of one. */
const LEAST_COMPARED = { coverage: 0.35, subject: 0.35 };
/** From here on, speaking of the subject makes up for not naming what is asked of it. */
const FULL_SUBJECT = 0.8;

/** Whether a candidate answers the question at all. */
function isAnswer(scored: Scored, question: Question): boolean {
  const { findings } = scored;
  const subject = findings.filter(({ needle }) => needle.isSubject);
  const least = leastOf(question);
  return (
    hasTopic(question, subject) &&
    coverageOf(findings.filter(({ needle }) => !needle.isAside)) >= least.coverage &&
    coverageOf(subject) >= least.subject &&
    staysOnTopic(findings) &&
    (isApt(scored, question) ||
      (question.aspects.every(({ isLoose }) => isLoose) && isTelling(subject)))
  );
}

/** "How do I start?" could be about anything. */
function hasTopic({ aspects, anchors }: Question, subject: readonly Finding[]): boolean {
  return subject.length > 0 || aspects.length > 0 || anchors.size > 0;
}

function leastOf({ wantsDefinition, compares, aspects }: Question): typeof LEAST {
  if (compares) {
    return LEAST_COMPARED;
  }
  return wantsDefinition && aspects.length === 0 ? LEAST_DEFINED : LEAST;
}

/** Whether its title and headings alone speak of the whole subject, so that its whole section answers. */
function isBroad({ findings }: Scored): boolean {
  return findings.every(
    ({ needle, context, title }) => !needle.isSubject || context > 0 || title > 0,
  );
}

/** The needles of the subject that a candidate or its context speaks of. */
function needleSubject({ findings }: Scored): Needle[] {
  return findings
    .filter((finding) => finding.needle.isSubject && isFound(finding))
    .map(({ needle }) => needle);
}

function coverageOf(findings: readonly Finding[]): number {
  const covered = findings.reduce(
    (sum, { needle, own, context, title }) => sum + needle.weight * Math.max(own, context, title),
    0,
  );
  return findings.length === 0 ? 1 : covered / weigh(findings.map(({ needle }) => needle));
}

function isFound({ own, context, title }: Finding): boolean {
  return Math.max(own, context, title) > 0;
}

function staysOnTopic(findings: readonly Finding[]): boolean {
  const anchors = findings.filter(({ needle }) => needle.isAnchor);
  const isAnchored = anchors.length === 0 || anchors.some(isFound);
  return isAnchored && findings.every((finding) => !finding.needle.isBound || isFound(finding));
}

/** Whether it tells one of the things that are asked of the subject. */
function isApt({ isHeaded, candidate }: Scored, { aspects }: Question): boolean {
  return (
    isHeaded ||
    aspects.length === 0 ||
    aspects.some(({ stems }) => [...stems].some((stem) => candidate.own.has(stem)))
  );
}

/** Whether title or heading speak of the subject, and its own words of the rest of it. */
function isTelling(subject: readonly Finding[]): boolean {
  const isPlaced = subject.some(({ context, title }) => context > 0 || title > 0);
  const speaks = subject.some(({ own, title }) => own > 0 && title === 0);
  return (
    isPlaced && speaks && subject.filter(isFound).length > 1 && coverageOf(subject) >= FULL_SUBJECT
  );
}
