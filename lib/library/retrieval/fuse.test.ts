import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Calibration } from "@/lib/library/documents/calibration";
import { type Candidate, fuse, isFirstInBoth } from "./fuse";

/** Like a real model's: unrelated texts have cosines around 0.8. */
const good: Calibration = { mean: 0.8, deviation: 0.02, separation: 4 };
const noise: Calibration = { ...good, separation: 0 };
const of = (id: string, cosine: number | null, bm25: number): Candidate => ({ id, cosine, bm25 });
const withWords = (each: Candidate) => ({ ...each, words: Math.min(1, each.bm25 / 10) });
const rank = (found: readonly Candidate[], calibration: Calibration | null = good) =>
  fuse([found.map(withWords)], calibration);
const order = (...args: Parameters<typeof rank>) => rank(...args).map(({ id }) => id);

const candidates = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom(..."abcdefgh"),
    cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
    bm25: fc.double({ min: 0, max: 40, noNaN: true }),
  }),
  { selector: ({ id }) => id },
);
const calibrations = fc.record({
  mean: fc.double({ min: -0.5, max: 0.95, noNaN: true }),
  deviation: fc.double({ min: 0.001, max: 1, noNaN: true }),
  separation: fc.double({ min: -1, max: 10, noNaN: true }),
});

describe("fusion", () => {
  it("ranks each chunk once by both scores, whichever retriever found it", () => {
    const [first, second] = fuse(
      [[withWords(of("a", 0.81, 5))], [withWords(of("b", 0.9, 0))]],
      good,
    );
    expect(first).toMatchObject({ id: "b", vectorRank: 1, lexicalRank: null });
    expect(second).toMatchObject({ id: "a", vectorRank: 2, lexicalRank: 1 });
  });

  it("adds what words and vectors say, so that a passage that both find comes first", () => {
    const found = [of("words", 0.8, 7), of("both", 0.87, 6), of("vectors", 0.88, 0)];
    expect(order(found)).toEqual(["both", "vectors", "words"]);
    for (const { score, lexicalPart, vectorPart } of rank(found)) {
      expect(score).toBe(lexicalPart + vectorPart);
    }
  });

  it("finds by meaning where only a stray word matches", () => {
    expect(order([of("stray", 0.79, 1), of("meant", 0.88, 0)])).toEqual(["meant", "stray"]);
  });

  it("counts vectors as far as the model tells passages apart", () => {
    const found = [of("words", 0.8, 9), of("vectors", 0.9, 3)];
    expect(order(found)).toEqual(["vectors", "words"]);
    expect(order(found, { ...good, separation: 2 })).toEqual(["words", "vectors"]);
    expect(rank(found, noise).map(({ vectorPart }) => vectorPart)).toEqual([0, 0]);
  });

  it("means the same with every model whose cosines are spread otherwise", () => {
    const scaled = { mean: 0.1, deviation: 0.125, separation: 4 };
    const scale = (cosine: number) => 0.1 + ((cosine - 0.8) / 0.02) * 0.125;
    fc.assert(
      fc.property(candidates, (found) => {
        const other = found.map((each) => ({
          ...each,
          cosine: each.cosine === null ? null : scale(each.cosine),
        }));
        const similarities = (ranked: ReturnType<typeof rank>) =>
          new Map(ranked.map(({ id, similarity }) => [id, similarity]));
        const scaledSimilarities = similarities(rank(other, scaled));
        for (const [id, similarity] of similarities(rank(found))) {
          expect(scaledSimilarities.get(id)).toBeCloseTo(similarity, 3);
        }
      }),
    );
  });

  it("gives a chunk without a vector the score and similarity of its words", () => {
    const [first] = rank([of("far", 0.78, 5), of("unembedded", null, 8), of("near", 0.84, 1)]);
    expect(first).toMatchObject({ id: "unembedded", z: null, score: 0.8, similarity: 0.8 });
  });

  it("gives all chunks those of their words without a calibration, and sorts equal ones by BM25", () => {
    const found = [of("a", null, 5), of("b", null, 70), of("c", null, 80)];
    expect(rank(found, null).map(({ id, score, similarity }) => [id, score, similarity])).toEqual([
      ["c", 1, 1],
      ["b", 1, 1],
      ["a", 0.5, 0.5],
    ]);
    expect(rank(found, null)).toEqual(rank(found));
  });

  it("knows the passage that both retrievers put first, if the vectors find it at all", () => {
    const isFirst = (found: readonly Candidate[]) => rank(found).filter(isFirstInBoth).length;
    expect(isFirst([of("a", 0.9, 9), of("b", 0.8, 8)])).toBe(1);
    expect(isFirst([of("a", 0.8, 9), of("b", 0.9, 8)])).toBe(0);
    // As near as unrelated texts are.
    expect(isFirst([of("a", 0.81, 9), of("b", 0.8, 8)])).toBe(0);
    expect(isFirst([of("a", null, 9)])).toBe(0);
  });

  it("gives similarities from 0 to 1 that grow with words and cosine", () => {
    fc.assert(
      fc.property(
        candidates,
        calibrations,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (found, calibration, more) => {
          const similarityOf = (candidate: Candidate) => {
            const [only] = rank([candidate], calibration);
            return only?.similarity ?? Number.NaN;
          };
          for (const each of found) {
            const similarity = similarityOf(each);
            expect(similarity).toBeGreaterThanOrEqual(0);
            expect(similarity).toBeLessThanOrEqual(1);
            expect(similarityOf({ ...each, bm25: each.bm25 + more })).toBeGreaterThanOrEqual(
              similarity,
            );
            const nearer = each.cosine === null ? null : each.cosine + more;
            expect(similarityOf({ ...each, cosine: nearer })).toBeGreaterThanOrEqual(similarity);
          }
        },
      ),
    );
  });

  it("doesn't depend on the order of the candidates", () => {
    fc.assert(
      fc.property(candidates, fc.option(calibrations), (found, calibration) => {
        const all = found.map(withWords);
        const forwards = fuse([all, []], calibration);
        expect(fuse([[], all.toReversed()], calibration)).toEqual(forwards);
        expect(forwards.map(({ score }) => score)).toEqual(
          forwards.map(({ score }) => score).toSorted((a, b) => b - a),
        );
      }),
    );
  });
});
