import type { Candidate, Corpus } from "./corpus";
import { type QueryTerm, readQueryTerms, totalWeight } from "./query-terms";
import { pairsOf, type Question } from "./question";
import { foldedTermsOf } from "./terms";
import { HEADING_SEPARATOR } from "./units";

/** How well a term matches, from 0 to 1: in the unit, in its headings and lead, in the title. */
export interface TermMatch {
  queryTerm: QueryTerm;
  own: number;
  context: number;
  title: number;
}

export interface ScoredCandidate {
  candidate: Candidate;
  score: number;
  matches: TermMatch[];
  isHeaded: boolean;
}

interface Query {
  question: Question;
  terms: QueryTerm[];
}

const CONTEXT_STRENGTH = 0.7;
const TITLE_STRENGTH = 0.6;
/** A source about the subject needn't repeat it in each sentence. */
const NAMED_STRENGTH = 0.2;
const ABOUT_STRENGTH = 0.75;
const HEADING_BONUS = 0.15;
const TITLE_BONUS = 0.15;
const NUMBER_BONUS = 0.1;
const PAIR_BONUS = 0.15;
/** Bonus for the first three sentences of a source when a definition is asked for. */
const OPENING_BONUSES = [0.4, 0.3, 0.25];
/** Share of the question that the title must match for its opening to count as the definition. */
const DEFINED_SHARE = 0.6;
const FRAGMENT_WORDS = 4;
const LONG_WORDS = 50;
const RANK_DISCOUNT = 0.01;

export function scoreAll(question: Question, corpus: Corpus): ScoredCandidate[] {
  const queryTerms = readQueryTerms(question, corpus);
  return queryTerms.length === 0
    ? []
    : corpus.candidates.map((candidate) => score(candidate, { question, terms: queryTerms }));
}

function score(candidate: Candidate, query: Query): ScoredCandidate {
  const place = placeOf(candidate);
  const headed = query.question.aspects
    .filter((aspect) => aspect.inHeading.test(place))
    .map(({ name }) => name);
  const isHeaded = headed.length > 0;
  const named = nameShareOf(candidate, query.terms);
  const matches = query.terms.map((queryTerm) => matchTerm(queryTerm, candidate, headed));
  const value = matches.reduce(
    (sum, { queryTerm, own, context, title }) =>
      sum +
      queryTerm.weight *
        Math.max(
          own,
          context * CONTEXT_STRENGTH,
          title * (TITLE_STRENGTH + NAMED_STRENGTH * named),
        ),
    0,
  );
  const bonus =
    (isHeaded ? HEADING_BONUS : 0) +
    (candidate.isOpening ? openingBonusOf(candidate, query, matches) : 0) +
    TITLE_BONUS * named +
    formBonusOf(candidate, query.question);
  const worth = (value / totalWeight(query.terms) + bonus) * discountOf(candidate);
  return { candidate, score: worth, matches, isHeaded };
}

function matchTerm(
  queryTerm: QueryTerm,
  candidate: Candidate,
  headed: readonly string[],
): TermMatch {
  const isHeaded = headed.some((name) => queryTerm.aspects.has(name));
  return {
    queryTerm,
    own: strengthIn(queryTerm, candidate.own),
    context: isHeaded ? 1 : strengthIn(queryTerm, candidate.context),
    title: Math.max(
      strengthIn(queryTerm, candidate.title),
      ABOUT_STRENGTH * strengthIn(queryTerm, candidate.about),
    ),
  };
}

function strengthIn({ forms }: QueryTerm, terms: Set<string>): number {
  let best = 0;
  for (const [form, strength] of forms) {
    if (strength > best && terms.has(form)) {
      best = strength;
    }
  }
  return best;
}

function placeOf({ heading, lead, source, title }: Candidate): string {
  const nearest = heading?.split(HEADING_SEPARATOR).at(-1);
  return `${nearest === undefined ? source.title : withoutTitle(nearest, title)}\n${lead ?? ""}`;
}

/** In "HbA1c test", the heading "Limits of the test" is about limits. */
function withoutTitle(heading: string, title: ReadonlySet<string>): string {
  return heading
    .split(/\s+/)
    .filter((word) => !foldedTermsOf(word).some((term) => title.has(term)))
    .join(" ");
}

function openingBonusOf(
  candidate: Candidate,
  { question, terms }: Query,
  matches: readonly TermMatch[],
): number {
  const named = matches.reduce((sum, { queryTerm, title }) => sum + queryTerm.weight * title, 0);
  const isDefined = question.isDefinition && named >= DEFINED_SHARE * totalWeight(terms);
  const isCompared = question.isComparison && nameShareOf(candidate, terms) === 1;
  return isDefined || isCompared ? (OPENING_BONUSES[candidate.index] ?? 0) : 0;
}

/** How much of the source's name the question mentions; any one of several names will do. */
function nameShareOf({ names }: Candidate, queryTerms: readonly QueryTerm[]): number {
  const shares = names.map((name) => {
    const said = [...name].filter((term) => queryTerms.some(({ forms }) => forms.has(term)));
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
