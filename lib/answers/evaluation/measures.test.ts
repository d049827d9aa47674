import { describe, expect, it } from "vitest";
import { expectedOf, rankFound, relevantOf } from "./expected";
import { ndcg, recall } from "./measures";

const relevant = new Map([
  ["a", 1],
  ["b", 1],
]);

describe("ndcg and recall", () => {
  it("are 1 when everything relevant comes first, and 0 when nothing is found", () => {
    expect([ndcg(["b", "a", "x"], relevant, 8), recall(["b", "a", "x"], relevant, 8)]).toEqual([
      1, 1,
    ]);
    expect([ndcg(["x"], relevant, 8), recall([], relevant, 8)]).toEqual([0, 0]);
  });

  it("count less the further down a document is, and nothing past the cut", () => {
    expect(ndcg(["x", "a"], new Map([["a", 1]]), 8)).toBeCloseTo(1 / Math.log2(3), 10);
    expect(recall(["a", "x", "b"], relevant, 2)).toBe(0.5);
    expect(ndcg(["x", "x2", "a"], relevant, 2)).toBe(0);
  });
});

describe("expected passages", () => {
  const passages = [
    { documentId: "d1", text: "Other words." },
    { documentId: "d1", text: "More words." },
    { documentId: "d2", text: "Take it\nwith “food”, always." },
  ];
  const named = new Map([["Food", ["d2", "d3"]]]);

  it("rank each document once, by its best passage", () => {
    const expected = expectedOf({ documents: ["Food"], quote: null }, named);
    const ranking = rankFound(passages, expected);
    expect(recall(ranking, relevantOf(expected), 2)).toBe(1);
    expect(recall(ranking, relevantOf(expected), 1)).toBe(0);
  });

  it("contain the quote, whatever its blanks, case and quotation marks", () => {
    const expected = expectedOf({ documents: [], quote: 'take it with "food"' }, named);
    const ranking = rankFound(passages, expected);
    expect(ranking).toHaveLength(3);
    expect(recall(ranking, relevantOf(expected), 3)).toBe(1);
  });

  it("fulfill document and quote together when both are given", () => {
    const expected = expectedOf({ documents: ["Food"], quote: "Other words" }, named);
    expect(recall(rankFound(passages, expected), relevantOf(expected), 3)).toBe(0);
  });

  it("count several references apart, and several documents of one reference as one", () => {
    const expected = expectedOf(
      { documents: ["Food", "Other"], quote: null },
      new Map([...named, ["Other", ["d9"]]]),
    );
    expect(recall(rankFound(passages, expected), relevantOf(expected), 8)).toBe(0.5);
  });
});
