import type { AnalyzedPassage } from "./analyze-passage";
import { directionKey, type SentenceAnalysis } from "./analyze-sentence";
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

export function claimTermsOf(
  { terms }: SentenceAnalysis,
  { sentencesByKey }: AnalyzedPassage,
): ClaimTerm[] {
  const claimTerms = new Map<string, ClaimTerm>();
  for (const term of terms) {
    if (!claimTerms.has(term.stem)) {
      claimTerms.set(term.stem, {
        weight: term.word.weight,
        strengths: strengthsOf(term, sentencesByKey),
      });
    }
  }
  return [...claimTerms.values()];
}

function strengthsOf(
  { keys, direction }: ContentTerm,
  sentencesByKey: AnalyzedPassage["sentencesByKey"],
): Map<number, number> {
  const strengths = new Map<number, number>();
  const raise = (key: string, strength: number) => {
    for (const sentence of sentencesByKey.get(key) ?? []) {
      strengths.set(sentence, Math.max(strength, strengths.get(sentence) ?? 0));
    }
  };
  for (const key of keys) {
    raise(key, STRENGTHS[key.charAt(0)] ?? 0);
  }
  if (direction) {
    raise(directionKey(direction.axis, -direction.sign), OPPOSITE_STRENGTH);
  }
  return strengths;
}

/**
 * The windows that cover most of a claim, best first: single sentences, then each paired with its best
 * complement.
 */
export function bestWindows(
  terms: readonly ClaimTerm[],
  bonus: (sentence: number) => number,
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
  const pairs = singles.flatMap((single) => withSecond(single, terms, total) ?? []);
  return [...singles, ...pairs];
}

function withSecond(single: Window, terms: readonly ClaimTerm[], total: number): Window | null {
  const [first = 0] = single.sentences;
  const [best] = [...gainsOver(first, terms, total)]
    .map(([sentence, gain]) => {
      const isAdjacent = Math.abs(sentence - first) === 1;
      const discount = isAdjacent ? PAIR_DISCOUNTS.adjacent : PAIR_DISCOUNTS.apart;
      return { sentence, gain: gain - discount };
    })
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain);
  return best
    ? {
        sentences: [first, best.sentence].sort((a, b) => a - b),
        coverage: single.coverage + best.gain,
      }
    : null;
}

function gainsOver(first: number, terms: readonly ClaimTerm[], total: number): Map<number, number> {
  const gains = new Map<number, number>();
  for (const { weight, strengths } of terms) {
    const own = strengths.get(first) ?? 0;
    for (const [sentence, strength] of strengths) {
      const gain = (weight * Math.max(0, strength - own)) / total;
      gains.set(sentence, (gains.get(sentence) ?? 0) + gain);
    }
  }
  return gains;
}
