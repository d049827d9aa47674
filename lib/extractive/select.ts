import type { Candidate, Corpus } from "./corpus";
import { weigh } from "./needles";
import type { Question } from "./question";
import { type Scored, scoreAll } from "./score";
import { isAnswer, isBroad, needleSubject } from "./verdict";

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
