import { describe, expect, it } from "vitest";
import { termKey } from "@/lib/library/documents/term-keys";
import questions from "@/lib/testing/language-questions.json" with { type: "json" };
import { passageWordsOf, termId, termsOf } from "@/lib/text/analyzer";
import { queryWords, type TermWeights, termWeights } from "@/lib/text/bm25";
import { selectTerms, weighTerms } from "./query-terms";

const COLLECTION = "public_kb";
/** Six languages with ten texts each, and a question about each text in other forms of its words. */
const all = Object.values(questions).flat();

interface Analysis {
  index: (text: string) => TermWeights;
  query: (text: string, statistics: ReturnType<typeof statisticsOf>) => Map<number, number>;
}

const byLanguage: Analysis = {
  index: (text) => termWeights(passageWordsOf(text)),
  query: (text, statistics) => selectTerms(queryWords(text), statistics),
};

const asEnglish: Analysis = {
  index: (text) => {
    const terms = [...new Set(termsOf(text).map(termId))];
    return { terms, weights: terms.map(() => 1) };
  },
  query: (text) => new Map(termsOf(text).map((term) => [termId(term), 1])),
};

function statisticsOf(documents: readonly TermWeights[]) {
  const counts = new Map<number, number>();
  for (const term of documents.flatMap(({ terms }) => terms)) {
    const key = termKey(COLLECTION, term, 0);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return {
    sizes: new Map([[COLLECTION, documents.length]]),
    counts: new Map([[COLLECTION, counts]]),
  };
}

/** For every second question: how often its own text comes first, and the mean reciprocal rank. */
function measure({ index, query }: Analysis, half: 0 | 1) {
  const documents = all.map(({ text }) => index(text));
  const statistics = statisticsOf(documents);
  const ranks = all.flatMap(({ question }, own) => {
    if (own % 2 !== half) {
      return [];
    }
    const searched = [...statistics.counts.keys()];
    const weighted = weighTerms(query(question, statistics), statistics, searched);
    const scores = documents.map(({ terms, weights }) =>
      weighted.reduce((sum, { term, weight }) => {
        const place = terms.indexOf(term);
        return sum + (place < 0 ? 0 : weight * (weights[place] ?? 0));
      }, 0),
    );
    const score = scores[own] ?? 0;
    return score > 0 ? scores.filter((other) => other >= score).length : Number.POSITIVE_INFINITY;
  });
  const mean = (value: (rank: number) => number) =>
    ranks.reduce((sum, rank) => sum + value(rank), 0) / ranks.length;
  return {
    recallAt1: mean((rank) => Number(rank === 1)),
    reciprocalRank: mean((rank) => 1 / rank),
  };
}

describe("search in six languages", () => {
  it.each([0, 1] as const)("finds texts by other forms of their words, half %i", (half) => {
    const before = measure(asEnglish, half);
    const after = measure(byLanguage, half);
    expect(after.recallAt1).toBeGreaterThan(before.recallAt1 + 0.1);
    expect(after.recallAt1).toBeGreaterThanOrEqual(0.9);
  });
});
