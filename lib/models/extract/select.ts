import type { Candidate, Corpus } from "./corpus";
import type { Question } from "./question";
import { type Scored, scoreAll, weigh } from "./score";

const LEAST_COVERAGE = 0.45;
const LEAST_SUBJECT = 0.58;
const LEAST_DEFINED = 0.72;
const UNITS = 5;
const NARROW_UNITS = 3;
const WORDS = 120;
const LIST_ITEMS = 6;
const LIST_WORDS = 170;
/** How near to the best an answer must score: to a question that names its facts, and to a broad one. */
const NARROW_SHARE = 0.75;
const BROAD_SHARE = 0.6;
const DEFINITION_SHARE = 0.8;
const UNHEADED_SHARE = 0.85;
const LIST_SHARE = 0.7;
const SHARED_COVERAGE = 0.75;
const SAME = 0.6;

/** The units that answer the question, best first; none when the sources do not answer it. */
export function select(question: Question, corpus: Corpus): Candidate[] {
  const answers = scoreAll(question, corpus)
    .filter((answer) => isAnswer(answer, question))
    .sort((one, other) => other.score - one.score);
  const [best] = answers;
  if (!best) {
    return [];
  }
  const list = listOf(best, answers, question);
  const chosen = list.length > 0 ? [best, ...list.filter((item) => item !== best)] : [];
  const limit = { units: best.isBroad || question.compares ? Math.max(UNITS, chosen.length + 1) : NARROW_UNITS, words: list.length > 0 ? LIST_WORDS : WORDS };
  const near = answers.filter((answer) => isNear(answer, best, question));
  return fill(chosen, near, limit).map(({ candidate }) => candidate);
}

function isAnswer({ coverage, subject, isApt, isTelling, covers }: Scored, question: Question): boolean {
  const named = [...covers].filter(({ isSubject }) => isSubject).length;
  const least = question.wantsDefinition && question.aspects.length === 0 && !question.compares ? LEAST_DEFINED : LEAST_SUBJECT;
  return coverage >= LEAST_COVERAGE && subject >= least && (isApt || (subject >= 0.8 && named >= 2 && isTelling));
}

function isNear(answer: Scored, best: Scored, question: Question): boolean {
  const wanted = question.wantsDefinition && best.isOpening ? DEFINITION_SHARE : best.isBroad ? BROAD_SHARE : NARROW_SHARE;
  if (answer.score < best.score * wanted) {
    return false;
  }
  if (best.isHeaded && best.isBroad && !answer.isHeaded && answer.score < best.score * UNHEADED_SHARE) {
    return false;
  }
  const subject = [...best.covers].filter(({ isSubject }) => isSubject);
  const shared = subject.filter((needle) => answer.covers.has(needle));
  return question.compares || weigh(shared) >= SHARED_COVERAGE * weigh(subject);
}

/** The items of the list that answers a broad question as a whole: "Symptoms" and what stands below. */
function listOf(best: Scored, answers: readonly Scored[], question: Question): Scored[] {
  if (!best.isBroad || question.aspects.length === 0) {
    return [];
  }
  const anchor = [best, ...answers].find(
    (answer) =>
      answer.isHeaded && answer.isBroad && answer.candidate.list !== null &&
      answer.candidate.source.title === best.candidate.source.title && answer.score >= best.score * LIST_SHARE,
  );
  if (!anchor) {
    return [];
  }
  const items = answers
    .filter(({ candidate }) => candidate.source === anchor.candidate.source && candidate.list === anchor.candidate.list)
    .sort((one, other) => one.candidate.index - other.candidate.index);
  const first = items.slice(0, LIST_ITEMS);
  return first.includes(anchor) ? first : [...first.slice(0, -1), anchor];
}

function fill(chosen: readonly Scored[], answers: readonly Scored[], limit: { units: number; words: number }): Scored[] {
  const result: Scored[] = [];
  let words = 0;
  for (const answer of [...chosen, ...answers]) {
    const length = answer.candidate.text.split(/\s+/).length;
    const fits = result.length === 0 || (result.length < limit.units && words + length <= limit.words);
    if (fits && !result.some((other) => isSame(other.candidate, answer.candidate))) {
      result.push(answer);
      words += length;
    }
  }
  return result;
}

function isSame(one: Candidate, other: Candidate): boolean {
  const both = [...one.own].filter((term) => other.own.has(term)).length;
  return both >= SAME * (one.own.size + other.own.size - both);
}
