import { type AnalyzedPassage, directionKeys, type SentenceAnalysis } from "./analyze-passage";
import { sentencesAboutTitle } from "./anaphora";
import type { ContentTerm } from "./words";

/** A content term of a claim, and how well each sentence covers it, from 0 to 1. */
export interface ClaimTerm {
  weight: number;
  strengths: ReadonlyMap<number, number>;
}

/** One or two sentences that may support a claim, by index. */
export interface Window {
  sentences: readonly number[];
  coverage: number;
}

/** How well a match covers a term: same stem, same root, passage's own abbreviation, synonym, same direction. */
const STRENGTHS: Record<string, number> = { "=": 1, "~": 0.9, "@": 0.95, "#": 0.85, "^": 0.75 };
/** A term of the opposite direction still shows that the subject is the same. */
const OPPOSITE_STRENGTH = 0.7;
const BEST_SINGLES = 3;
/** Combining two sentences is weaker evidence than one sentence. */
const PAIR_DISCOUNTS = { adjacent: 0.04, apart: 0.1 };

/** A sentence about "this condition" covers the title's words for it. */
const TITLE_STRENGTH = 0.9;

export function claimTermsOf({ terms }: SentenceAnalysis, analyzed: AnalyzedPassage): ClaimTerm[] {
  const inTitle = new Set(analyzed.label.analysis.terms.flatMap(({ keys }) => keys));
  const aboutTitle = sentencesAboutTitle(analyzed);
  const groups = Map.groupBy(terms, ({ stem }) => stem).values();
  return [...groups].flatMap(([term]) => {
    if (!term) {
      return [];
    }
    const strengths = strengthsOf(term, analyzed.sentencesByKey);
    for (const sentence of term.keys.some((key) => inTitle.has(key)) ? aboutTitle : []) {
      strengths.set(sentence, Math.max(TITLE_STRENGTH, strengths.get(sentence) ?? 0));
    }
    return { weight: term.word.weight, strengths };
  });
}

function strengthsOf(
  term: ContentTerm,
  sentencesByKey: AnalyzedPassage["sentencesByKey"],
): Map<number, number> {
  const strengths = new Map<number, number>();
  const raise = (key: string, strength: number) => {
    for (const sentence of sentencesByKey.get(key) ?? []) {
      strengths.set(sentence, Math.max(strength, strengths.get(sentence) ?? 0));
    }
  };
  for (const key of term.keys) {
    raise(key, STRENGTHS[key.charAt(0)] ?? 0);
  }
  for (const key of directionKeys(term, -1)) {
    raise(key, OPPOSITE_STRENGTH);
  }
  return strengths;
}

/** The share of the first terms' weight that the others cover. */
export function sharedWeight(
  terms: readonly ContentTerm[],
  others: readonly ContentTerm[],
  countsOpposites = true,
): number {
  const said = new Set(others.flatMap(({ keys }) => keys));
  const isSaid = (key: string) => said.has(key);
  const shared = terms.filter(
    (term) => term.keys.some(isSaid) || (countsOpposites && directionKeys(term, -1).some(isSaid)),
  );
  const all = weightOfTerms(terms);
  return all > 0 ? weightOfTerms(shared) / all : 0;
}

/** A short claim with another word in it repeats less of a sentence than a long one. */
const CLOSE = 0.65;

/** Whether a claim and a sentence say nearly the same, apart from a word or their order. */
export function isClose({ terms }: SentenceAnalysis, other: SentenceAnalysis): boolean {
  return sharedWeight(other.terms, terms) >= CLOSE && sharedWeight(terms, other.terms) >= CLOSE;
}

export function weightOfTerms(terms: readonly ContentTerm[]): number {
  return terms.reduce((sum, { word }) => sum + word.weight, 0);
}

/** The windows that cover most of a claim: single sentences, best first, then each with its best complement. */
export function bestWindows(
  terms: readonly ClaimTerm[],
  bonus: (sentence: number) => number,
  mayJoin: (first: number, second: number) => boolean,
): Window[] {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  const scores = new Map<number, number>();
  for (const { weight, strengths } of terms) {
    for (const [sentence, strength] of strengths) {
      scores.set(sentence, (scores.get(sentence) ?? 0) + (weight * strength) / total);
    }
  }
  const ranked = [...scores]
    .map(([sentence, coverage]) => ({ sentence, coverage, rank: coverage + bonus(sentence) }))
    .sort((a, b) => b.rank - a.rank || a.sentence - b.sentence)
    .slice(0, BEST_SINGLES);
  const singles = ranked.map(({ sentence, coverage }) => ({ sentences: [sentence], coverage }));
  return [
    ...singles,
    ...singles.flatMap((single) => withSecond(single, terms, { total, mayJoin }) ?? []),
  ];
}

function withSecond(
  single: Window,
  terms: readonly ClaimTerm[],
  { total, mayJoin }: { total: number; mayJoin: (first: number, second: number) => boolean },
): Window | null {
  const [first = 0] = single.sentences;
  const gains = new Map<number, number>();
  for (const { weight, strengths } of terms) {
    const own = strengths.get(first) ?? 0;
    for (const [sentence, strength] of strengths) {
      const gain = (weight * Math.max(0, strength - own)) / total;
      gains.set(sentence, (gains.get(sentence) ?? 0) + gain);
    }
  }
  const [best] = [...gains]
    .filter(([second]) => mayJoin(first, second))
    .map(([second, gain]) => {
      const isAdjacent = Math.abs(second - first) === 1;
      const net = gain - (isAdjacent ? PAIR_DISCOUNTS.adjacent : PAIR_DISCOUNTS.apart);
      const sentences = first < second ? [first, second] : [second, first];
      return { sentences, net, coverage: single.coverage + net };
    })
    .filter(({ net }) => net > 0)
    .sort((a, b) => b.net - a.net);
  return best ?? null;
}
