import type { QuestionResult } from "./schema";

/** What one question adds to a measure: a sum, and of how many. */
export interface Contribution {
  sum: number;
  of: number;
}

export interface Measure {
  name: string;
  /** For people; `{k}` is `top_k`. */
  label: string;
  group: "search" | "answers" | "sentences" | "addressed";
  /** Null when the measure says nothing about this question. */
  of: (result: QuestionResult) => Contribution | null;
}

const yes = (isTrue: boolean): Contribution => ({ sum: Number(isTrue), of: 1 });
const score = (value: number | null): Contribution | null =>
  value === null ? null : { sum: value, of: 1 };

const VERDICTS = ["supported", "partial", "unsupported", "contradicted", "unjudged"];

const verdictMeasures = VERDICTS.map(
  (verdict): Measure => ({
    name: `sentences_${verdict}`,
    label: verdict,
    group: "sentences",
    of: ({ answer }) => {
      const counts = answer?.verdicts;
      if (!counts || counts[verdict] === undefined) {
        return null;
      }
      const of = Object.values(counts).reduce((sum, count) => sum + count, 0);
      return { sum: counts[verdict], of };
    },
  }),
);

const addressedMeasures = ["yes", "partly", "no", "unknown"].map(
  (value): Measure => ({
    name: `addressed_${value}`,
    label: value,
    group: "addressed",
    of: ({ answer }) =>
      answer && !answer.is_abstention && answer.addressed !== null
        ? yes(answer.addressed === value)
        : null,
  }),
);

/** In the order they are printed. */
export const MEASURES: readonly Measure[] = [
  { name: "recall", label: "recall@{k}", group: "search", of: ({ recall }) => score(recall) },
  { name: "ndcg", label: "nDCG@{k}", group: "search", of: ({ ndcg }) => score(ndcg) },
  {
    name: "answered",
    label: "answered, of all",
    group: "answers",
    of: ({ answer }) => answer && yes(!answer.is_abstention),
  },
  {
    name: "cites_expected",
    label: "cites an expected source, of answers",
    group: "answers",
    of: ({ answer }) =>
      answer && !answer.is_abstention && answer.cites_expected !== null
        ? yes(answer.cites_expected)
        : null,
  },
  {
    name: "abstained_wrongly",
    label: "abstained wrongly, of answerable",
    group: "answers",
    of: ({ answer, expected }) =>
      answer && !expected.should_abstain ? yes(answer.is_abstention) : null,
  },
  {
    name: "abstained_properly",
    label: "abstained properly, of unanswerable",
    group: "answers",
    of: ({ answer, expected }) =>
      answer && expected.should_abstain ? yes(answer.is_abstention) : null,
  },
  ...verdictMeasures,
  ...addressedMeasures,
];

interface Share {
  value: number;
  /** Questions, or sentences for verdicts. */
  n: number;
}

export interface Spread {
  total: number;
  mean: number;
  p50: number;
  p95: number;
}

export interface Figures {
  questions: number;
  /** By name; a measure that says nothing about any question is left out. */
  measures: Record<string, Share>;
  cost_usd: Spread;
  latency_ms: Spread;
}

/** Null without results. */
export function summarize(results: readonly QuestionResult[]): Figures | null {
  if (results.length === 0) {
    return null;
  }
  const measures = MEASURES.flatMap((measure) => {
    const { sum, of } = addContributions(results.flatMap((result) => measure.of(result) ?? []));
    return of > 0 ? [[measure.name, { value: sum / of, n: of }] as const] : [];
  });
  return {
    questions: results.length,
    measures: Object.fromEntries(measures),
    cost_usd: spreadOf(results.map(({ cost_usd }) => Number(cost_usd))),
    latency_ms: spreadOf(results.map(({ latency_ms }) => latency_ms)),
  };
}

export function addContributions(contributions: readonly Contribution[]): Contribution {
  return contributions.reduce(
    (total, { sum, of }) => ({ sum: total.sum + sum, of: total.of + of }),
    { sum: 0, of: 0 },
  );
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const total = sorted.reduce((sum, value) => sum + value, 0);
  // The nearest rank.
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { total, mean: total / sorted.length, p50: at(0.5), p95: at(0.95) };
}
