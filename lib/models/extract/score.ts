import { type Candidate, type Corpus, formsOf, idfOf } from "./corpus";
import { type Needle, readNeedles } from "./needles";
import { pairsOf, type Question } from "./question";
import { foldedTermsOf } from "./terms";

/** A candidate with what it is worth as an answer. */
export interface Scored {
  candidate: Candidate;
  score: number;
  /** The share of the question's weight that it and its context speak of, from 0 to 1. */
  coverage: number;
  /** The same of the question's subject alone. */
  subject: number;
  /** Which needles it or its context speaks of. */
  covers: Set<Needle>;
  /** Whether it stands under a heading or lead that names what is asked. */
  isHeaded: boolean;
  /** Whether it gives the kind of answer that is asked for. */
  isApt: boolean;
  /** Whether it speaks of something of the subject that its title and headings do not. */
  isTelling: boolean;
  /** Whether its title and headings alone speak of the whole subject. */
  isBroad: boolean;
  /** Whether it says what the source is about. */
  isOpening: boolean;
}

interface Asked {
  question: Question;
  needles: Needle[];
}

const CONTEXT_STRENGTH = 0.7;
const TITLE_STRENGTH = 0.6;
const HEADING_BONUS = 0.15;
const OPENING_BONUS = [0.4, 0.3, 0.25];
const SAYS_WHAT_IT_IS = /^(?:\S+\s+){1,12}?(?:is|are|was|were|means?|refers? to|happens?|describes?|occurs?|causes?|affects?)\b/;
const TITLE_BONUS = 0.15;
const NUMBER_BONUS = 0.1;
const PAIR_BONUS = 0.15;
const RANK_DISCOUNT = 0.01;
const FRAGMENT_WORDS = 4;
const LONG_WORDS = 50;

/** Scores every candidate against the question. */
export function scoreAll(question: Question, corpus: Corpus): Scored[] {
  const needles = readNeedles(question, corpus);
  return needles.length === 0 ? [] : corpus.candidates.map((candidate) => score(candidate, { question, needles }));
}

function score(candidate: Candidate, asked: Asked): Scored {
  const { question, needles } = asked;
  const place = placeOf(candidate);
  const headed = question.aspects.filter((aspect) => aspect.headed.test(place)).map(({ name }) => name);
  let value = 0;
  const covers = new Map<Needle, number>();
  let isTelling = false;
  const place0 = new Map<Needle, number>();
  for (const needle of needles) {
    const isHeaded = headed.some((name) => needle.aspects.has(name));
    const own = strengthIn(needle, candidate.own);
    const context = Math.max(strengthIn(needle, candidate.context), isHeaded ? 1 : 0);
    const title = strengthIn(needle, candidate.title);
    value += needle.weight * Math.max(own, context * CONTEXT_STRENGTH, title * TITLE_STRENGTH);
    place0.set(needle, Math.max(context, title));
    if (needle.isSubject && own > 0 && context === 0 && title === 0) isTelling = true;
    covers.set(needle, Math.max(own, context, title));
  }
  const isHeaded = headed.length > 0;
  const bonus = bonusOf(candidate, asked) + (isHeaded ? HEADING_BONUS : 0);
  return {
    candidate,
    score: (value / weigh(needles) + bonus) * discountOf(candidate),
    coverage: share(needles, covers),
    subject: share(needles.filter((n) => n.isSubject), covers),
    covers: new Set(needles.filter((needle) => covers.get(needle))),
    isTelling,
    isHeaded,
    isBroad: needles.every((n) => !n.isSubject || (place0.get(n) ?? 0) > 0),
    isOpening: opens(candidate),
    isApt: isHeaded || question.aspects.length === 0 || question.aspects.some(({stems}) => [...stems].some((s) => candidate.own.has(s))),
  };
}

export function weigh(needles: readonly Needle[]): number {
  return needles.reduce((sum, { weight }) => sum + weight, 0);
}

function share(needles: readonly Needle[], covers: Map<Needle, number>): number {
  const covered = needles.reduce((sum, needle) => sum + needle.weight * (covers.get(needle) ?? 0), 0);
  return needles.length === 0 ? 1 : covered / weigh(needles);
}

/** The nearest heading and the lead: what a reader takes the place to be about. */
export function placeOf({ heading, lead, source }: Candidate): string {
  const nearest = heading?.split(" › ").at(-1);
  return `${nearest ?? source.title}\n${lead ?? ""}`;
}

function strengthIn({ forms }: Needle, terms: Set<string>): number {
  let best = 0;
  for (const [form, strength] of forms) {
    if (strength > best && terms.has(form)) {
      best = strength;
    }
  }
  return best;
}

function bonusOf(candidate: Candidate, { question, needles }: Asked): number {
  let bonus = TITLE_BONUS * titleShare(candidate, needles);
  if (question.wantsDefinition && opens(candidate)) {
    const named = needles.reduce((sum, needle) => sum + needle.weight * strengthIn(needle, candidate.title), 0);
    bonus += named / weigh(needles) >= 0.6 || (question.compares && titleShare(candidate, needles) === 1) ? OPENING_BONUS[candidate.index] ?? 0 : 0;
  }
  if (question.wantsNumber && /\d/.test(candidate.text)) {
    bonus += NUMBER_BONUS;
  }
  if (question.pairs.length > 0) {
    const pairs = new Set(pairsOf(candidate.sequence));
    bonus += (PAIR_BONUS * question.pairs.filter((pair) => pairs.has(pair)).length) / question.pairs.length;
  }
  return bonus;
}

/** How much of the source's title is asked for; of "Acetaminophen (paracetamol)" either name will do. */
function titleShare({ titles }: Candidate, needles: readonly Needle[]): number {
  return Math.max(
    0,
    ...titles.map(
      (title) => [...title].filter((t) => needles.some(({ forms }) => forms.has(t))).length / Math.max(1, title.size),
    ),
  );
}

/** "Asthma is a …": the first sentences of a source, before any heading that narrows its subject. */
function opens({ index, title, text, heading, sequence }: Candidate): boolean {
  const nearest = foldedTermsOf(heading?.split(" › ").at(-1) ?? "");
  const isOutset = index < OPENING_BONUS.length && nearest.every((term) => title.has(term));
  return isOutset && sequence.slice(0, 4).some((term) => title.has(term)) && SAYS_WHAT_IT_IS.test(text);
}

function discountOf({ text, rank }: Candidate): number {
  const words = text.split(/\s+/).length;
  const fragment = words < FRAGMENT_WORDS ? 0.8 : 1;
  const long = words > LONG_WORDS ? LONG_WORDS / words : 1;
  const question = text.endsWith("?") ? 0.3 : 1;
  return fragment * long * question * (1 - RANK_DISCOUNT * Math.min(rank, 10));
}
