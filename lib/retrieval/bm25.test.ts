import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { candidateTerms, similarityOf, weighTerms } from "./bm25";
import { excerptOf } from "./passage";

describe("BM25", () => {
  it("weighs a rare term above a common one", () => {
    const frequencies = new Map([
      [1, 2],
      [2, 900],
    ]);
    const [rare, common] = weighTerms([1, 2], { chunks: 1000, frequencies });
    expect(rare?.idf).toBeGreaterThan(common?.idf ?? 0);
  });

  it("does not hold every word of a one-document collection to be common", () => {
    const [term] = weighTerms([1], { chunks: 1, frequencies: new Map([[1, 1]]) });
    expect(term?.idf).toBeGreaterThan(5);
  });

  it("takes candidates from the rarest terms that fit the budget, and from one at least", () => {
    const term = (id: number, frequency: number) => ({ term: id, frequency, idf: 1 });
    expect(candidateTerms([term(1, 3000), term(2, 10), term(3, 2000), term(4, 0)])).toEqual([2, 3]);
    expect(candidateTerms([term(1, 50_000), term(2, 90_000)])).toEqual([1]);
    expect(candidateTerms([term(1, 0)])).toEqual([]);
  });

  it("gives a similarity from 0 to 1 that grows with the score", () => {
    const terms = [{ term: 1, frequency: 3, idf: 6 }];
    fc.assert(
      fc.property(fc.double({ min: 0, max: 500, noNaN: true }), (score) => {
        const similarity = similarityOf(score, terms);
        expect(similarity).toBeGreaterThanOrEqual(0);
        expect(similarity).toBeLessThanOrEqual(1);
        expect(similarityOf(score + 1, terms)).toBeGreaterThanOrEqual(similarity);
      }),
    );
    expect(similarityOf(0.1 * 22 * Math.sqrt(6), terms)).toBeCloseTo(0.3, 2);
  });
});

describe("excerpts", () => {
  it("are at most 300 characters, cut at a word", () => {
    const text = "Wörter ".repeat(100);
    const excerpt = excerptOf(text);
    expect(excerpt.length).toBeLessThanOrEqual(300);
    expect(excerpt).toMatch(/Wörter…$/);
    expect(excerptOf("short")).toBe("short");
    expect(excerptOf("x".repeat(400)).length).toBeLessThanOrEqual(300);
    expect(excerptOf("😀".repeat(200)).isWellFormed()).toBe(true);
  });
});
