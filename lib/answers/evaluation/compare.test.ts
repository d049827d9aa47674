import { describe, expect, it } from "vitest";
import { compareRuns, pairedTest } from "./compare";
import type { QuestionResult } from "./schema";
import { summarize } from "./summarize";

type Answer = NonNullable<QuestionResult["answer"]>;

function result(id: string, over: Partial<QuestionResult> = {}): QuestionResult {
  return {
    id,
    question: `Question ${id}?`,
    turns: [],
    expected: { documents: ["Asthma"], quote: null, should_abstain: false },
    searched_for: null,
    sources: [],
    recall: 1,
    ndcg: 1,
    answer: answer(),
    cost_usd: "0.000100",
    latency_ms: 10,
    ...over,
  };
}

function answer(over: Partial<Answer> = {}): Answer {
  return {
    text: "Wheezing [1].",
    is_abstention: false,
    cites_expected: true,
    verdicts: { supported: 1, partial: 0, unsupported: 0, contradicted: 0 },
    addressed: null,
    warnings: [],
    prompt_tokens: 100,
    completion_tokens: 10,
    ...over,
  };
}

const abstention = answer({
  is_abstention: true,
  cites_expected: false,
  verdicts: { supported: 0, partial: 0, unsupported: 0, contradicted: 0 },
});
const unanswerable = {
  expected: { documents: [], quote: null, should_abstain: true },
  recall: null,
  ndcg: null,
};

/** A pair for each value: what one question scored in both runs. */
const pairs = (...scores: [number, number][]) =>
  scores.map(
    ([one, other]) =>
      [
        { sum: one, of: 1 },
        { sum: other, of: 1 },
      ] as const,
  );

describe("summarize", () => {
  it("tells proper abstentions from wrong ones, and weighs verdicts by sentence", () => {
    const figures = summarize([
      result("a", { answer: answer({ verdicts: { supported: 3, partial: 1 } }) }),
      result("b", { answer: abstention, recall: 0, ndcg: 0 }),
      result("c", { ...unanswerable, answer: { ...abstention, cites_expected: null } }),
      result("d", { ...unanswerable, answer: answer({ cites_expected: null }) }),
    ]);
    expect(figures?.measures).toMatchObject({
      recall: { value: 0.5, n: 2 },
      answered: { value: 0.5, n: 4 },
      cites_expected: { value: 1, n: 1 },
      abstained_wrongly: { value: 0.5, n: 2 },
      abstained_properly: { value: 0.5, n: 2 },
      sentences_supported: { value: 4 / 5, n: 5 },
    });
    expect(figures?.measures).not.toHaveProperty("addressed_yes");
  });

  it("gives the median and the nearest rank of cost and latency", () => {
    const latencies = Array.from({ length: 20 }, (_, at) =>
      result(String(at), { latency_ms: at + 1 }),
    );
    expect(summarize(latencies)?.latency_ms).toEqual({ total: 210, mean: 10.5, p50: 10, p95: 19 });
    expect(summarize([])).toBeNull();
  });

  it("leaves out what a search alone doesn't measure", () => {
    const figures = summarize([result("a", { answer: null })]);
    expect(Object.keys(figures?.measures ?? {})).toEqual(["recall", "ndcg"]);
  });
});

describe("pairedTest", () => {
  it("is 1 for equal runs", () => {
    expect(pairedTest(pairs([1, 1], [0, 0]))).toBe(1);
    expect(pairedTest([])).toBe(1);
  });

  it("is exact for few questions: all of n in one direction has two outcomes in 2^n", () => {
    expect(pairedTest(pairs(...Array.from({ length: 6 }, () => [0, 1] as [number, number])))).toBe(
      2 / 64,
    );
    expect(pairedTest(pairs([0, 1], [1, 0]))).toBe(1);
  });

  it("agrees with the sign test when it samples, the same each time", () => {
    const many = pairs(
      ...Array.from({ length: 30 }, (_, at): [number, number] => (at < 20 ? [0, 1] : [1, 0])),
    );
    // Two-sided, 20 or more of 30.
    expect(pairedTest(many)).toBeCloseTo(0.0987, 1);
    expect(pairedTest(many)).toBe(pairedTest(many));
    expect(pairedTest(many)).toBeGreaterThan(0.05);
  });
});

describe("compareRuns", () => {
  it("lists what changed about each question and marks differences within noise", () => {
    const { measures, changed, questions } = compareRuns(
      [result("a"), result("b")],
      [result("a"), result("b", { recall: 0, ndcg: 0, answer: abstention })],
    );
    expect(questions).toBe(2);
    expect(changed).toEqual([
      {
        id: "b",
        question: "Question b?",
        changes: [
          "recall 1.00 → 0.00",
          "nDCG 1.00 → 0.00",
          "answered → abstained",
          "supported 1 → 0",
        ],
      },
    ]);
    expect(measures.find(({ name }) => name === "recall")).toMatchObject({
      earlier: 1,
      now: 0.5,
      difference: -0.5,
      questions: 2,
      p: 1,
      is_noise: true,
    });
  });

  it("doesn't call a consistent difference noise", () => {
    const ids = Array.from({ length: 8 }, (_, at) => String(at));
    const { measures } = compareRuns(
      ids.map((id) => result(id, { recall: 0 })),
      ids.map((id) => result(id)),
    );
    expect(measures.find(({ name }) => name === "recall")).toMatchObject({
      p: 2 / 256,
      is_noise: false,
    });
  });

  it("compares only questions with the same text and expectation", () => {
    const other = { documents: ["COPD"], quote: null, should_abstain: false };
    const comparison = compareRuns(
      [result("a"), result("b"), result("c")],
      [result("a"), result("b", { expected: other }), result("d")],
    );
    expect(comparison).toMatchObject({ questions: 1, only_now: 2, only_earlier: 2, changed: [] });
  });
});
