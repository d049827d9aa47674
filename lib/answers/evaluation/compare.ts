import { isDeepStrictEqual } from "node:util";
import type { QuestionResult } from "./schema";
import { addContributions, type Contribution, MEASURES } from "./summarize";

/** A measure in two runs, over the questions that both asked. */
interface Change {
  name: string;
  earlier: number;
  now: number;
  difference: number;
  /** Questions that the measure says something about in both runs. */
  questions: number;
  /** How often chance alone would make a difference this large. */
  p: number;
  /** `p` is above 0.05. */
  is_noise: boolean;
}

export interface Comparison {
  /** Questions with the same text and expectation in both runs. */
  questions: number;
  /** Asked in only one of them, or with another text or expectation. */
  only_now: number;
  only_earlier: number;
  measures: Change[];
  changed: { id: string; question: string; changes: string[] }[];
}

type Pair = readonly [earlier: Contribution, now: Contribution];

const MAX_P = 0.05;
const MAX_ROUNDS = 10_000;
const MIN_ROUNDS = 1000;
/** Keeps a test of a thousand questions well below a second. */
const MAX_FLIPS = 10_000_000;
/** Up to so many questions, every outcome is tried. */
const MAX_EXACT = 12;
/** The same in every run, so that a repeated comparison gives the same result. */
const SEED = 0x9e3779b9;
/** Differences of rounding. */
const EPSILON = 1e-9;

/** Compares two runs on the questions they share. */
export function compareRuns(
  earlier: readonly QuestionResult[],
  now: readonly QuestionResult[],
): Comparison {
  const before = new Map(earlier.map((result) => [result.id, result]));
  const pairs = now.flatMap((result) => {
    const other = before.get(result.id);
    return other && isSameQuestion(other, result) ? [[other, result] as const] : [];
  });
  const changed = pairs.flatMap(([one, other]) => {
    const changes = changesBetween(one, other);
    return changes.length > 0 ? [{ id: other.id, question: other.question, changes }] : [];
  });
  return {
    questions: pairs.length,
    only_now: now.length - pairs.length,
    only_earlier: earlier.length - pairs.length,
    measures: MEASURES.flatMap(({ name, of }) => {
      const contributions = pairs.flatMap(([one, other]): Pair[] => {
        const [a, b] = [of(one), of(other)];
        return a && b ? [[a, b]] : [];
      });
      return changeOf(name, contributions) ?? [];
    }),
    changed,
  };
}

function isSameQuestion(one: QuestionResult, other: QuestionResult): boolean {
  const asked = ({ question, turns, expected }: QuestionResult) => ({ question, turns, expected });
  return isDeepStrictEqual(asked(one), asked(other));
}

function changeOf(name: string, pairs: readonly Pair[]): Change | null {
  const [earlier, now] = [ratio(pairs.map(([one]) => one)), ratio(pairs.map(([, other]) => other))];
  if (earlier === null || now === null) {
    return null;
  }
  const p = pairedTest(pairs);
  return {
    ...{ name, earlier, now, difference: now - earlier },
    questions: pairs.filter(([one, other]) => one.of + other.of > 0).length,
    ...{ p, is_noise: p > MAX_P },
  };
}

function ratio(contributions: readonly Contribution[]): number | null {
  const { sum, of } = addContributions(contributions);
  return of > 0 ? sum / of : null;
}

/**
 * A paired randomization test: how often swapping the two runs' results, question by question, makes a difference of
 * the ratios at least as large as the one seen. Exact for few questions that differ, otherwise sampled.
 */
export function pairedTest(pairs: readonly Pair[]): number {
  const differing = pairs.filter(differs);
  const base = addContributions(pairs.filter((pair) => !differs(pair)).map(([one]) => one));
  const differenceOf = (isSwapped: (index: number) => boolean): number => {
    const [a, b] = [{ ...base }, { ...base }];
    for (const [index, [one, other]] of differing.entries()) {
      const [first, second] = isSwapped(index) ? [other, one] : [one, other];
      a.sum += first.sum;
      a.of += first.of;
      b.sum += second.sum;
      b.of += second.of;
    }
    return Math.abs((b.of > 0 ? b.sum / b.of : 0) - (a.of > 0 ? a.sum / a.of : 0));
  };
  const seen = differenceOf(() => false) - EPSILON;
  if (differing.length <= MAX_EXACT) {
    const all = 2 ** differing.length;
    const extreme = Array.from({ length: all }, (_, bits) => bits).filter(
      (bits) => differenceOf((index) => ((bits >> index) & 1) === 1) >= seen,
    );
    return extreme.length / all;
  }
  const rounds = Math.max(
    MIN_ROUNDS,
    Math.min(MAX_ROUNDS, Math.floor(MAX_FLIPS / differing.length)),
  );
  const random = createRandom(SEED);
  let extreme = 0;
  for (let round = 0; round < rounds; round += 1) {
    extreme += Number(differenceOf(() => random() < 0.5) >= seen);
  }
  return (extreme + 1) / (rounds + 1);
}

function differs([one, other]: Pair): boolean {
  return one.sum !== other.sum || one.of !== other.of;
}

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What is different about a question, one phrase each. */
function changesBetween(one: QuestionResult, other: QuestionResult): string[] {
  const changes: (string | null)[] = [
    change("recall", formatScore(one.recall), formatScore(other.recall)),
    change("nDCG", formatScore(one.ndcg), formatScore(other.ndcg)),
  ];
  if (one.answer && other.answer) {
    changes.push(
      change("", stateOf(one.answer), stateOf(other.answer)),
      ...Object.keys({ ...one.answer.verdicts, ...other.answer.verdicts }).map((verdict) =>
        change(
          verdict,
          String(one.answer?.verdicts?.[verdict] ?? 0),
          String(other.answer?.verdicts?.[verdict] ?? 0),
        ),
      ),
      change("addressed", one.answer.addressed ?? "–", other.answer.addressed ?? "–"),
    );
  }
  return changes.filter((each) => each !== null);
}

function stateOf({ is_abstention, cites_expected }: NonNullable<QuestionResult["answer"]>): string {
  if (is_abstention) {
    return "abstained";
  }
  return cites_expected === false ? "answered from another source" : "answered";
}

function change(name: string, one: string, other: string): string | null {
  return one === other ? null : `${name} ${one} → ${other}`.trim();
}

function formatScore(value: number | null): string {
  return value === null ? "–" : value.toFixed(2);
}
