import type { Candidate, Corpus } from "./corpus";
import { type Needle, readNeedles, weigh } from "./query-terms";
import { pairsOf, type Question } from "./question";
import { HEADING_JOINT } from "./units";
import { foldedTermsOf } from "./terms";

/** How well a needle is found, from 0 to 1: in the unit, in what stands above it, in the title. */
export interface Finding {
  needle: Needle;
  own: number;
  context: number;
  title: number;
}

/** A candidate with what it is worth as an answer. */
export interface Scored {
  candidate: Candidate;
  score: number;
  findings: Finding[];
  /** Whether it stands under a heading or lead that names what is asked. */
  isHeaded: boolean;
}

interface Asked {
  question: Question;
  needles: Needle[];
}

const CONTEXT_STRENGTH = 0.7;
const TITLE_STRENGTH = 0.6;
/** A source that is all about what is asked need not repeat it in each sentence. */
const NAMED_STRENGTH = 0.2;
const ABOUT_STRENGTH = 0.75;
const HEADING_BONUS = 0.15;
const TITLE_BONUS = 0.15;
const NUMBER_BONUS = 0.1;
const PAIR_BONUS = 0.15;
/** What the first, second and third sentence of a source gain when a definition is asked for. */
const OPENING_BONUSES = [0.4, 0.3, 0.25];
/** The share of the question that a title must speak of for its opening to be the definition. */
const DEFINED_SHARE = 0.6;
const FRAGMENT_WORDS = 4;
const LONG_WORDS = 50;
const RANK_DISCOUNT = 0.01;

/** Scores every candidate against the question. */
export function scoreAll(question: Question, corpus: Corpus): Scored[] {
  const needles = readNeedles(question, corpus);
  return needles.length === 0
    ? []
    : corpus.candidates.map((candidate) => score(candidate, { question, needles }));
}

function score(candidate: Candidate, asked: Asked): Scored {
  const place = placeOf(candidate);
  const headed = asked.question.aspects
    .filter((aspect) => aspect.headed.test(place))
    .map(({ name }) => name);
  const isHeaded = headed.length > 0;
  const named = nameShareOf(candidate, asked.needles);
  const findings = asked.needles.map((needle) => find(needle, candidate, headed));
  const value = findings.reduce(
    (sum, { needle, own, context, title }) =>
      sum +
      needle.weight *
        Math.max(
          own,
          context * CONTEXT_STRENGTH,
          title * (TITLE_STRENGTH + NAMED_STRENGTH * named),
        ),
    0,
  );
  const bonus =
    (isHeaded ? HEADING_BONUS : 0) +
    (candidate.isOpening ? openingBonusOf(candidate, asked, findings) : 0) +
    TITLE_BONUS * named +
    formBonusOf(candidate, asked.question);
  const worth = (value / weigh(asked.needles) + bonus) * discountOf(candidate);
  return { candidate, score: worth, findings, isHeaded };
}

function find(needle: Needle, candidate: Candidate, headed: readonly string[]): Finding {
  const isHeaded = headed.some((name) => needle.aspects.has(name));
  return {
    needle,
    own: strengthIn(needle, candidate.own),
    context: isHeaded ? 1 : strengthIn(needle, candidate.context),
    title: Math.max(
      strengthIn(needle, candidate.title),
      ABOUT_STRENGTH * strengthIn(needle, candidate.about),
    ),
  };
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

/** The nearest heading and the lead: what a reader takes the place to be about. */
function placeOf({ heading, lead, source, title }: Candidate): string {
  const nearest = heading?.split(HEADING_JOINT).at(-1);
  return `${nearest === undefined ? source.title : withoutTitle(nearest, title)}\n${lead ?? ""}`;
}

/** "Limits of the test" in "HbA1c test" is about limits. */
function withoutTitle(heading: string, title: ReadonlySet<string>): string {
  return heading
    .split(/\s+/)
    .filter((word) => !foldedTermsOf(word).some((term) => title.has(term)))
    .join(" ");
}

function openingBonusOf(
  candidate: Candidate,
  { question, needles }: Asked,
  findings: readonly Finding[],
): number {
  const named = findings.reduce((sum, { needle, title }) => sum + needle.weight * title, 0);
  const isDefined = question.wantsDefinition && named >= DEFINED_SHARE * weigh(needles);
  const isCompared = question.compares && nameShareOf(candidate, needles) === 1;
  return isDefined || isCompared ? (OPENING_BONUSES[candidate.index] ?? 0) : 0;
}

/** How much of what the source is called the question says; either of two names will do. */
function nameShareOf({ names }: Candidate, needles: readonly Needle[]): number {
  const shares = names.map((name) => {
    const said = [...name].filter((term) => needles.some(({ forms }) => forms.has(term)));
    return said.length / name.size;
  });
  return Math.max(0, ...shares);
}

function formBonusOf({ text, sequence }: Candidate, { measure, pairs }: Question): number {
  const said = new Set(pairsOf(sequence));
  const shared = pairs.filter((pair) => said.has(pair)).length;
  const number = measure?.test(text) ? NUMBER_BONUS : 0;
  return number + (PAIR_BONUS * shared) / Math.max(1, pairs.length);
}

function discountOf({ text, rank }: Candidate): number {
  const words = text.split(/\s+/).length;
  const fragment = words < FRAGMENT_WORDS ? 0.8 : 1;
  const long = Math.min(1, LONG_WORDS / words);
  const question = text.endsWith("?") ? 0.3 : 1;
  return fragment * long * question * (1 - RANK_DISCOUNT * Math.min(rank, 10));
}
