import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Candidate, fuse } from "./fuse";

const equal = { vector: 1, lexical: 1 };
const of = (id: string, cosine: number | null, bm25: number): Candidate => ({ id, cosine, bm25 });

describe("fusion", () => {
  it("ranks chunks that both retrievers rank high above those that only one does", () => {
    const words = [of("words", 0.1, 9), of("both", 0.7, 8)];
    const vectors = [of("vectors", 0.9, 0), of("both", 0.7, 8), of("other", 0.5, 0)];
    const order = fuse([words, vectors], equal).map(({ id }) => id);
    expect(order).toEqual(["both", "words", "vectors", "other"]);
  });

  it("ranks each chunk once by both scores, whichever retriever found it", () => {
    const [first, second] = fuse([[of("a", 0.2, 5)], [of("b", 0.9, 0)]], equal);
    expect(first).toMatchObject({ id: "a", vectorRank: 2, lexicalRank: 1 });
    expect(second).toMatchObject({ id: "b", vectorRank: 1, lexicalRank: null });
  });

  it("uses only BM25 if nothing has a vector", () => {
    const ranked = fuse([[of("a", null, 5), of("b", null, 7)], []], equal);
    expect(ranked.map(({ id, score, vectorRank }) => [id, score, vectorRank])).toEqual([
      ["b", 7, null],
      ["a", 5, null],
    ]);
  });

  it("supports a weight of zero", () => {
    const legs = [[of("a", 0.1, 9), of("b", 0.2, 1)], [of("b", 0.2, 1)]];
    expect(fuse(legs, { vector: 1, lexical: 0 })[0]?.id).toBe("b");
    expect(fuse(legs, { vector: 0, lexical: 1 })[0]?.id).toBe("a");
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
        const forwards = fuse([all, []], equal);
        expect(fuse([[], all.toReversed()], equal)).toEqual(forwards);
        expect(forwards.map(({ score }) => score)).toEqual(
          forwards.map(({ score }) => score).toSorted((a, b) => b - a),
        );
      }),
    );
  });
});
