import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Candidate, fuse } from "./fuse";

const equal = { vector: 1, lexical: 1 };
const of = (id: string, cosine: number | null, bm25: number): Candidate => ({ id, cosine, bm25 });

describe("fusion", () => {
  it("adds both scores, each divided by the best", () => {
    const words = [of("words", 0.1, 9), of("both", 0.7, 8)];
    const vectors = [of("vectors", 0.9, 0), of("both", 0.7, 8), of("other", 0.5, 0)];
    const ranked = fuse([words, vectors], equal, 0);
    expect(ranked.map(({ id }) => id)).toEqual(["both", "words", "vectors", "other"]);
    expect(ranked[0]?.score).toBeCloseTo((8 / 9 + 7 / 9) / 2);
  });

  it("ranks each chunk once by both scores, whichever retriever found it", () => {
    const [first, second] = fuse([[of("a", 0.2, 5)], [of("b", 0.9, 0)]], equal, 0);
    expect(first).toMatchObject({ id: "a", vectorRank: 2, lexicalRank: 1 });
    expect(second).toMatchObject({ id: "b", vectorRank: 1, lexicalRank: null });
  });

  it("lets the words decide where they cover the query", () => {
    const found = [of("words", 0.2, 9), of("vectors", 0.9, 6)];
    const order = (confidence: number) => fuse([found], equal, confidence).map(({ id }) => id);
    expect(order(0)).toEqual(["vectors", "words"]);
    expect(order(1)).toEqual(["words", "vectors"]);
  });

  it("ranks a chunk without a vector by its words", () => {
    const found = [of("far", 0.1, 9), of("unembedded", null, 8), of("near", 0.9, 1)];
    expect(fuse([found], equal, 0).map(({ id }) => id)).toEqual(["unembedded", "far", "near"]);
  });

  it("uses only BM25 if nothing has a vector", () => {
    const ranked = fuse([[of("a", null, 5), of("b", null, 7)], []], equal, 1);
    expect(ranked.map(({ id, score, vectorRank }) => [id, score, vectorRank])).toEqual([
      ["b", 7, null],
      ["a", 5, null],
    ]);
  });

  it("supports a weight of zero", () => {
    const legs = [[of("a", 0.1, 9), of("b", 0.2, 1)], [of("b", 0.2, 1)]];
    expect(fuse(legs, { vector: 1, lexical: 0 }, 1)[0]?.id).toBe("b");
    expect(fuse(legs, { vector: 0, lexical: 1 }, 0)[0]?.id).toBe("a");
  });

  it("doesn't depend on the order of the candidates", () => {
    const candidate = fc.record({
      id: fc.constantFrom(..."abcdefgh"),
      cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
      bm25: fc.double({ min: 0, max: 40, noNaN: true }),
    });
    const found = fc.uniqueArray(candidate, { selector: ({ id }) => id });
    fc.assert(
      fc.property(found, (all) => {
        const forwards = fuse([all, []], equal, 0.5);
        expect(fuse([[], all.toReversed()], equal, 0.5)).toEqual(forwards);
        expect(forwards.map(({ score }) => score)).toEqual(
          forwards.map(({ score }) => score).toSorted((a, b) => b - a),
        );
      }),
    );
  });
});
