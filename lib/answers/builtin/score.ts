import { pairsOf, type Question } from "@/lib/evidence/questions/question";
import {
  type Candidate,
  type Corpus,
  computedOnce,
  formsOf,
  idfOf,
  LEAD_CHARACTERS,
} from "./corpus";
import { isRunTogether, pointsBack } from "./quotable";

export interface QueryTerm {
  term: string;
  /** How much match it counts: what the question gives it times its idf. */
  weight: number;
  /** The stems that match it, each with its strength. */
  forms: Map<string, number>;
  /** The names of the question's relations that it belongs to. */
  relations: Set<string>;
  /** Whether it is part of the subject, rather than of what is asked about the subject. */
  isSubject: boolean;
  /** Whether it only occurs beside or before the question; answers may lack it. */
  isAside: boolean;
}

/** How well a term matches, from 0 to 1: in the unit, in its headings and lead, in the title. */
export interface TermMatch {
  queryTerm: QueryTerm;
  own: number;
  context: number;
  title: number;
  /** The highest of the three. */
  best: number;
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
  /** The question's pairs of terms, each with how often it occurs. */
  pairs: ReadonlyMap<string, number>;
  // Units share headings, leads, titles and names, so each of these is read once.
  /** How well a set of terms matches each query term. */
  strengthsOf: (terms: ReadonlySet<string>) => readonly number[];
  /** The question's relations that a heading or lead names. */
  relationsIn: (text: string) => readonly string[];
  /** How much of a source's name the question mentions; any one of several names will do. */
  nameShareOf: (names: Candidate["names"]) => number;
}

const RELATION_STRENGTH = 0.7;
/** A name that no source contains is probably the subject. */
const UNKNOWN_NAME_STRESS = 1.5;
/** Terms with less weight than this aren't part of the subject. */
const SUBJECT_COUNTS = 0.5;
/** Caps the IDF of terms outside the subject. */
const HELPER_IDF = 1.5;
const CONTEXT_STRENGTH = 0.7;
const TITLE_STRENGTH = 0.6;
/** A source about the subject needn't repeat it in each sentence. */
const NAMED_STRENGTH = 0.2;
const ABOUT_STRENGTH = 0.75;
const HEADING_BONUS = 0.15;
const TITLE_BONUS = 0.15;
const NUMBER_BONUS = 0.1;
const PAIR_BONUS = 0.15;
const LIST_BONUS = 0.06;
/** Bonus for the first three sentences of a source when a definition is asked for. */
const OPENING_BONUSES = [0.4, 0.3, 0.25];
/** Share of the question that the title must match for its opening to count as the definition. */
const DEFINED_SHARE = 0.6;
const FRAGMENT_WORDS = 4;
const LONG_WORDS = 50;
/** For sentences that need an earlier one to be understood, or begin with a heading. */
const UNCLEAR_DISCOUNT = 0.85;
/** Speaks of symptoms or treatments and names none. */
const VAGUE =
  /\b(?:(?:goals?|aims?) of|depends? (?:up)?on|var(?:y|ies)|need to know|must understand|myths?|(?:many|several|some|different) (?:\w+ )?(?:reasons?|causes?|factors|people are at)|at (?:higher|increased|greater) risk\W*$)\b|\bsymptoms?(?: \w+)? (?:begin|start|appear|go away|come|tend|develop|differ|last)\b/i;
/** "Fever, chills and a cough": says more than most sentences. */
const ENUMERATION = /,[^,.;:]{2,60},?\s(?:and|or)\s/;
const RANK_DISCOUNT = 0.01;

export function scoreAll(question: Question, corpus: Corpus): ScoredCandidate[] {
  const queryTerms = readQueryTerms(question, corpus);
  if (queryTerms.length === 0) {
    return [];
  }
  const query = readQuery(question, queryTerms);
  return corpus.candidates.map((candidate) => score(candidate, query));
}

function readQuery(question: Question, terms: QueryTerm[]): Query {
  const pairs = new Map<string, number>();
  for (const pair of question.pairs) {
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return {
    question,
    terms,
    pairs,
    strengthsOf: computedOnce(strengthReader(terms)),
    relationsIn: computedOnce((text: string) =>
      question.relations.filter(({ inHeading }) => inHeading.test(text)).map(({ name }) => name),
    ),
    nameShareOf: computedOnce((names) => shareOf(names, terms)),
  };
}

function strengthReader(queryTerms: readonly QueryTerm[]) {
  const byForm = new Map<string, { index: number; strength: number }[]>();
  for (const [index, { forms }] of queryTerms.entries()) {
    for (const [form, strength] of forms) {
      const entry = { index, strength };
      byForm.get(form)?.push(entry) ?? byForm.set(form, [entry]);
    }
  }
  return (terms: ReadonlySet<string>): number[] => {
    const strengths = queryTerms.map(() => 0);
    for (const term of terms) {
      for (const { index, strength } of byForm.get(term) ?? []) {
        strengths[index] = Math.max(strengths[index] ?? 0, strength);
      }
    }
    return strengths;
  };
}

function score(candidate: Candidate, query: Query): ScoredCandidate {
  const lead = (candidate.lead ?? "").slice(0, LEAD_CHARACTERS);
  const introduced = query.relationsIn(lead);
  const headed = [...query.relationsIn(candidate.place), ...introduced];
  const contextStrength = introduced.length > 0 ? 1 : CONTEXT_STRENGTH;
  const isHeaded = headed.length > 0;
  const named = query.nameShareOf(candidate.names);
  const matches = matchTerms(candidate, query, headed);
  const value = matches.reduce(
    (sum, { queryTerm, own, context, title }) =>
      sum +
      queryTerm.weight *
        Math.max(own, context * contextStrength, title * (TITLE_STRENGTH + NAMED_STRENGTH * named)),
    0,
  );
  const bonus =
    (isHeaded ? HEADING_BONUS : 0) +
    (candidate.isOpening ? openingBonusOf(candidate, query, matches) : 0) +
    TITLE_BONUS * named +
    formBonusOf(candidate, query, named === 1);
  const worth = (value / totalWeight(query.terms) + bonus) * discountOf(candidate);
  return { candidate, score: worth, matches, isHeaded };
}

function matchTerms(
  candidate: Candidate,
  { terms, strengthsOf }: Query,
  headed: readonly string[],
): TermMatch[] {
  const owns = strengthsOf(candidate.own);
  const contexts = strengthsOf(candidate.context);
  const titles = strengthsOf(candidate.title);
  const abouts = strengthsOf(candidate.about);
  return terms.map((queryTerm, index) => {
    const isHeaded = headed.some((name) => queryTerm.relations.has(name));
    const own = owns[index] ?? 0;
    const context = isHeaded ? 1 : (contexts[index] ?? 0);
    const title = Math.max(titles[index] ?? 0, ABOUT_STRENGTH * (abouts[index] ?? 0));
    return { queryTerm, own, context, title, best: Math.max(own, context, title) };
  });
}

function openingBonusOf(
  candidate: Candidate,
  { question, terms, nameShareOf }: Query,
  matches: readonly TermMatch[],
): number {
  const named = matches.reduce((sum, { queryTerm, title }) => sum + queryTerm.weight * title, 0);
  const isDefined = question.isDefinition && named >= DEFINED_SHARE * totalWeight(terms);
  const isCompared = question.isComparison && nameShareOf(candidate.names) === 1;
  return isDefined || isCompared ? (OPENING_BONUSES[candidate.index] ?? 0) : 0;
}

function shareOf(names: Candidate["names"], queryTerms: readonly QueryTerm[]): number {
  const shares = names.map((name) => {
    const said = [...name].filter((term) => queryTerms.some(({ forms }) => forms.has(term)));
    return said.length / name.size;
  });
  return Math.max(0, ...shares);
}

function formBonusOf(
  { text, sequence }: Candidate,
  { question: { measure, relations, pairs: asked }, pairs }: Query,
  isNamed: boolean,
): number {
  const shared = [...new Set(pairsOf(sequence))].reduce(
    (sum, pair) => sum + (pairs.get(pair) ?? 0),
    0,
  );
  const number = measure?.test(text) ? NUMBER_BONUS : 0;
  const canList = isNamed && measure === null && relations.length > 0;
  const list = canList && ENUMERATION.test(text) ? LIST_BONUS : 0;
  return number + list + (PAIR_BONUS * shared) / Math.max(1, asked.length);
}

function discountOf(candidate: Candidate): number {
  const { text, rank } = candidate;
  const words = text.split(/\s+/).length;
  const fragment = words < FRAGMENT_WORDS ? 0.8 : 1;
  const long = Math.min(1, LONG_WORDS / words);
  const question = text.endsWith("?") ? 0.3 : 1;
  const isUnclear = pointsBack(candidate) || isRunTogether(text) || isVague(text);
  const unclear = isUnclear ? UNCLEAR_DISCOUNT : 1;
  return fragment * long * question * unclear * (1 - RANK_DISCOUNT * Math.min(rank, 10));
}

function isVague(text: string): boolean {
  return VAGUE.test(text) && !ENUMERATION.test(text);
}

function readQueryTerms(question: Question, corpus: Corpus): QueryTerm[] {
  return [...new Map([...question.asides, ...question.terms])].map(([term, counts]) => {
    const relations = question.relations.filter(({ stems }) => stems.has(term));
    const forms = new Map([
      ...relations.flatMap(({ stems }) =>
        [...stems].map((stem) => [stem, RELATION_STRENGTH] as const),
      ),
      ...formsOf(corpus, term),
    ]);
    const isAside = question.asides.has(term) && !question.terms.has(term);
    const isSubject = !isAside && relations.length === 0 && counts >= SUBJECT_COUNTS;
    const isUnknownName =
      question.names.has(term) &&
      [...forms.keys()].every((form) => !corpus.documentFrequency.has(form));
    const idf = idfOf(corpus, forms.keys());
    return {
      term,
      weight:
        counts *
        (isUnknownName ? UNKNOWN_NAME_STRESS : 1) *
        (isSubject ? idf : Math.min(idf, HELPER_IDF)),
      forms,
      relations: new Set(relations.map(({ name }) => name)),
      isSubject,
      isAside,
    };
  });
}

export function totalWeight(queryTerms: readonly QueryTerm[]): number {
  return queryTerms.reduce((sum, { weight }) => sum + weight, 0);
}
