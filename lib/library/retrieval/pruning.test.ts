import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { termKeys } from "@/lib/library/documents/term-keys";
import { pruneCandidates } from "./pruning";
import { budgetFor, candidateKeys, MAX_SATURATION } from "./query-terms";

const id = "public_kb";

interface Chunk {
  terms: number[];
  weights: number[];
}

const chunk = fc
  .dictionary(
    fc.integer({ min: 1, max: 8 }).map(String),
    fc.double({ min: 0.2, max: MAX_SATURATION, maxExcluded: true, noNaN: true }),
    { maxKeys: 8 },
  )
  .map((weights): Chunk => {
    const entries = Object.entries(weights).map(
      ([term, weight]) => [Number(term), weight] as const,
    );
    entries.sort(([a], [b]) => a - b);
    return { terms: entries.map(([term]) => term), weights: entries.map(([, weight]) => weight) };
  });

const query = fc.uniqueArray(
  fc.record({
    term: fc.integer({ min: 1, max: 8 }),
    weight: fc.double({ min: 0.3, max: 9, noNaN: true }),
  }),
  { selector: ({ term }) => term, minLength: 1, maxLength: 8 },
);

function indexed(chunks: readonly Chunk[]) {
  const keysOfChunks = chunks.map((each) => new Set(termKeys(id, each)));
  const counts = new Map<number, number>();
  for (const key of keysOfChunks.flatMap((keys) => [...keys])) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return { keysOfChunks, counts };
}

/** Repeated until there are enough to prune. */
function prune(terms: { term: number; weight: number }[], chunks: readonly Chunk[], depth: number) {
  const many = Array.from({ length: 600 }, (_, index) => chunks[index % chunks.length] as Chunk);
  const { keysOfChunks, counts } = indexed(many);
  const ids = terms.map(({ term }) => term);
  const keys = candidateKeys(id, ids, { counts, budget: budgetFor(1) });
  const pruning = pruneCandidates(terms, [{ id, size: many.length, counts, keys }], depth);
  const scoreOf = (each: Chunk) =>
    terms.reduce(
      (sum, { term, weight }) => sum + weight * (each.weights[each.terms.indexOf(term)] ?? 0),
      0,
    );
  return {
    pruning,
    chunks: many.map((each, index) => ({ score: scoreOf(each), keys: keysOfChunks[index] })),
  };
}

describe("pruning", () => {
  it("never leaves out a chunk that reaches the threshold", () => {
    let pruned = 0;
    fc.assert(
      fc.property(query, fc.array(chunk, { minLength: 3, maxLength: 60 }), (terms, some) => {
        const { pruning, chunks } = prune(terms, some, 50);
        const { threshold = Number.POSITIVE_INFINITY, conditions = [] } = pruning ?? {};
        pruned += Number(conditions.length > 0);
        const best = chunks.filter(({ score }) => score >= threshold);
        return best.every(({ keys }) =>
          conditions.every((condition) => condition.some((key) => keys?.has(key))),
        );
      }),
    );
    expect(pruned).toBeGreaterThan(50);
  });

  it("leaves out chunks with only one of several words", () => {
    const terms = [1, 2, 3].map((term) => ({ term, weight: 3 }));
    const one = terms.map(({ term }) => ({ terms: [term], weights: [1] }));
    const { pruning, chunks } = prune(
      terms,
      [...one, { terms: [1, 2, 3], weights: [1.6, 1.6, 1.6] }],
      50,
    );
    const left = chunks.filter(({ keys }) =>
      pruning?.conditions.every((condition) => condition.some((key) => keys?.has(key))),
    );
    expect(left).toHaveLength(150);
  });

  it("keeps keys of every collection in each condition", () => {
    const other = "customer_kb:other";
    const terms = [1, 2, 3].map((term) => ({ term, weight: 3 }));
    const chunks: Chunk[] = Array.from({ length: 600 }, (_, index) => ({
      terms: index % 4 ? [1 + (index % 3)] : [1, 2, 3],
      weights: index % 4 ? [1] : [1.6, 1.6, 1.6],
    }));
    const collections = [id, other].map((collectionId) => {
      const counts = new Map<number, number>();
      for (const key of chunks.flatMap((each) => termKeys(collectionId, each))) {
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      const keys = candidateKeys(collectionId, [1, 2, 3], { counts, budget: budgetFor(2) });
      return { id: collectionId, size: chunks.length, counts, keys };
    });
    const { conditions = [] } = pruneCandidates(terms, collections, 50) ?? {};
    expect(conditions.length).toBeGreaterThan(0);
    for (const { counts } of collections) {
      expect(conditions.every((each) => each.some((key) => counts.has(key)))).toBe(true);
    }
  });

  it("isn't worth it for few candidates or many terms", () => {
    const pruned = (words: number, chunks: number) => {
      const terms = Array.from({ length: words }, (_, index) => ({ term: index + 1, weight: 5 }));
      const keysOfAll = terms.flatMap(({ term }) => termKeys(id, { terms: [term], weights: [1] }));
      const counts = new Map(keysOfAll.map((key) => [key, chunks]));
      const keys = [...counts.keys()];
      return pruneCandidates(terms, [{ id, size: 1000, counts, keys }], 50) !== null;
    };
    expect([pruned(3, 90), pruned(3, 110), pruned(12, 110), pruned(13, 110)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
