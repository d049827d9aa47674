import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { termKey } from "@/lib/library/documents/term-keys";
import { languageTerm, queryWords } from "@/lib/text/bm25";
import {
  candidateKeys,
  keysOf,
  selectTerms,
  similarityOf,
  termsToCount,
  weighTerms,
} from "./query-terms";

const id = "public_kb";

/** Term counts in the public collection: over all chunks, and per tier. */
function countsOf(terms: Record<number, number[]>): Map<number, number> {
  return new Map(
    Object.entries(terms).flatMap(([term, tiers]) =>
      tiers.map((count, tier) => [termKey(id, Number(term), tier), count] as const),
    ),
  );
}

function statistics(size: number, terms: Record<number, number[]>) {
  return { sizes: new Map([[id, size]]), counts: new Map([[id, countsOf(terms)]]) };
}

describe("BM25", () => {
  it("weighs a rare term above a common one", () => {
    const [rare, common] = weighTerms(
      new Map([
        [1, 1],
        [2, 1],
      ]),
      statistics(1000, { 1: [2], 2: [900] }),
      [id],
    );
    expect(rare?.weight).toBeGreaterThan(common?.weight ?? 0);
  });

  it("weighs a term that the query repeats by the square root of its count", () => {
    const [once] = weighTerms(new Map([[1, 1]]), statistics(1000, { 1: [2] }), [id]);
    const [often] = weighTerms(new Map([[1, 4]]), statistics(1000, { 1: [2] }), [id]);
    expect(often?.weight).toBeCloseTo(2 * (once?.weight ?? 0));
  });

  it("does not treat every word of a one-document collection as common", () => {
    const [term] = weighTerms(new Map([[1, 1]]), statistics(1, { 1: [1] }), [id]);
    expect(term?.weight).toBeGreaterThan(5);
  });

  it("leaves out a term that the searched collections don't have", () => {
    const terms = new Map([
      [1, 1],
      [2, 1],
    ]);
    expect(weighTerms(terms, statistics(1000, { 1: [2] }), [id])).toHaveLength(1);
    expect(weighTerms(terms, statistics(1000, { 1: [2] }), ["customer_kb:other"])).toEqual([]);
  });

  it("selects candidates by the rarest terms that fit the budget", () => {
    const counts = countsOf({ 1: [3000], 2: [10], 3: [2000] });
    expect(candidateKeys(id, [1, 2, 3, 4], { counts, budget: 4000 })).toEqual(
      [2, 3].map((term) => termKey(id, term, 0)),
    );
    expect(candidateKeys(id, [4], { counts, budget: 4000 })).toEqual([]);
  });

  it("for a term that is too common, uses the chunks where it occurs most", () => {
    const counts = countsOf({ 1: [50_000, 9000, 800], 2: [90_000, 20_000, 9000] });
    expect(candidateKeys(id, [1, 2], { counts, budget: 4000 })).toEqual([termKey(id, 1, 2)]);
    expect(candidateKeys(id, [2], { counts, budget: 4000 })).toEqual([termKey(id, 2, 2)]);
  });

  it("skips tiers for long queries", () => {
    expect(keysOf(id, [1, 2]).flat().length).toBeGreaterThan(2);
    const many = Array.from({ length: 500 }, (_, term) => term);
    expect(keysOf(id, many).flat()).toHaveLength(500);
    expect(keysOf(id, many, 20).flat()).toHaveLength(2000);
  });

  describe("over several languages", () => {
    const termsOf = (text: string) => queryWords(text).flatMap((word) => [...word.terms.keys()]);
    const german = languageTerm("de");
    const [english = 0, stem = 0] = termsOf("Tabletten");

    it("searches for the term of each language that the collections have", () => {
      const words = queryWords("Tabletten");
      const selected = selectTerms(
        words,
        statistics(9, { [german]: [5], [stem]: [3], [english]: [1] }),
      );
      expect([...selected].sort()).toEqual(
        [
          [english, 1],
          [stem, 1],
        ].sort(),
      );
    });

    it("searches English collections for English terms only, even if another language has the stem", () => {
      const words = queryWords("Tabletten");
      expect([...selectTerms(words, statistics(9, { [stem]: [3] })).keys()]).toEqual([english]);
    });

    it("leaves out a word's terms that no passage has, but never all", () => {
      const words = queryWords("Tabletten");
      const known = selectTerms(words, statistics(9, { [german]: [5], [stem]: [3] }));
      expect([...known.keys()]).toEqual([stem]);
      expect(selectTerms(words, statistics(9, { [german]: [5] })).size).toBe(1);
    });

    it("counts the terms of each language that a query may be in, and the languages", () => {
      expect(termsToCount(queryWords("What is the treatment of asthma?"))).toHaveLength(2);
      expect(termsToCount(queryWords("Tabletten"))).toEqual(
        expect.arrayContaining([english, stem, german]),
      );
    });
  });

  it.each(["contagious", "normal", "10"])(
    "doesn't expect passages to have what only asks about a subject: %s",
    (word) => {
      const [asking = 0] = termsToCount(queryWords(word));
      const sepsis = { term: 1, weight: 5 };
      const both = [sepsis, { term: asking, weight: 6 }];
      expect(similarityOf(8, both, 1)).toBe(similarityOf(8, [sepsis], 1));
      expect(similarityOf(8, both, 1)).toBeGreaterThan(0.3);
    },
  );

  it("maps scores to a similarity from 0 to 1 that grows with the score", () => {
    const terms = [{ term: 1, weight: 6 }];
    fc.assert(
      fc.property(fc.double({ min: 0, max: 500, noNaN: true }), (score) => {
        const similarity = similarityOf(score, terms, 1);
        expect(similarity).toBeGreaterThanOrEqual(0);
        expect(similarity).toBeLessThanOrEqual(1);
        expect(similarityOf(score + 1, terms, 1)).toBeGreaterThanOrEqual(similarity);
      }),
    );
    expect(similarityOf(0, [], 0)).toBe(0);
  });

  it("doesn't miss the verb of a question in the passage that answers it", () => {
    const [take = 0] = termsToCount(queryWords("take"));
    const terms = new Map([
      [1, 1],
      [take, 1],
    ]);
    const weighted = weighTerms(terms, statistics(1000, { 1: [10], [take]: [10] }), [id]);
    const [drug = 0, verb = 0] = weighted.map(({ weight }) => weight);
    expect(verb).toBeLessThan(0.5 * drug);
    expect(similarityOf(1.9 * drug, weighted, 2)).toBeGreaterThan(0.3);
    expect(similarityOf(1.9 * verb, weighted, 2)).toBeLessThan(0.15);
  });

  it("calls a passage similar for its one word, or for two of many, but not for one of many", () => {
    const one = [{ term: 1, weight: 6 }];
    const many = [1, 2, 3, 4].map((term) => ({ term, weight: 6 }));
    const saturated = 2 * 6;
    const shortMention = 1.5 * 6;
    expect(similarityOf(shortMention, one, 1)).toBeGreaterThan(0.3);
    expect(similarityOf(shortMention, many, 4)).toBeLessThan(0.15);
    expect(similarityOf(2 * saturated, many, 4)).toBeGreaterThan(0.3);
  });

  it("finds a long passage that has the query's only word once, unless the query has other words, too", () => {
    const one = [{ term: 1, weight: 6.8 }];
    const longMention = 1.07 * 6.8;
    expect(similarityOf(longMention, one, 1)).toBeGreaterThan(0.3);
    expect(similarityOf(longMention, one, 2)).toBeLessThan(0.2);
  });

  it("finds the passage about one of two words, but not one that mentions it", () => {
    const treatChoking = [
      { term: 1, weight: 3.7 },
      { term: 2, weight: 4.9 },
    ];
    expect(similarityOf(2.1 * 4.9, treatChoking, 2)).toBeGreaterThan(0.3);
    expect(similarityOf(1.4 * 4.9, treatChoking, 2)).toBeLessThan(0.2);
  });
});
