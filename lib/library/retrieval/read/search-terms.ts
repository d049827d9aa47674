import "server-only";

import { SparseVector, toSql } from "pgvector";
import { yieldIfLong } from "@/lib/event-loop";
import { DATABASE } from "@/lib/platform/tracing";
import { TERM_SPACE } from "@/lib/text/analyzer";
import type { ScoredCandidate } from "../fuse";
import { pruneCandidates } from "../pruning";
import {
  budgetFor,
  candidateKeys,
  similarityOf,
  similarTo,
  type WeightedTerm,
  type WordStatistics,
  weighTerms,
} from "../query-terms";
import { stage } from "../stage";
import type { CorrectedTerms } from "./correct-terms";
import {
  type QueryPoint,
  type readStatistics,
  type Scope,
  searchLexical,
  searchVectors,
} from "./retrievers";
import { searchLimiter } from "./search-limiter";

type Statistics = Awaited<ReturnType<typeof readStatistics>>;

/** What both retrievers find in the collections that are searched for these terms. */
export async function searchTerms(
  signal: AbortSignal,
  { collectionIds: all, ...scope }: Scope,
  {
    collections,
    terms,
    besides,
    statistics,
    point,
  }: CorrectedTerms<Statistics> & { point: QueryPoint | null },
): Promise<ScoredCandidate[][]> {
  await yieldIfLong();
  const weighted = weighTerms(terms, statistics, all);
  await yieldIfLong();
  const own = { ...scope, collectionIds: collections.map(({ id }) => id) };
  const vectors = { terms: toTermsSql(weighted), point };
  const candidates = candidatesOf(own, { terms, weighted, statistics });
  const results = await searchLimiter.run(signal, () =>
    Promise.all([
      candidates.keys.length > 0
        ? stage("words", () => searchLexical(signal, own, { ...vectors, ...candidates }), DATABASE)
        : [],
      point
        ? stage(
            "vectors",
            () => searchVectors(signal, own, { ...statistics, ...vectors, point }),
            DATABASE,
          )
        : [],
    ]),
  );
  const similar = similarTo(weighted, { terms, besides });
  return results.map((found) =>
    found.map((each) => ({
      ...each,
      words: similarityOf(each.bm25, similar.weighted, similar.words),
    })),
  );
}

/** Every collection has the same share of the candidates. */
function candidatesOf(
  { collectionIds, depth }: Scope,
  {
    terms,
    weighted,
    statistics: { counts, sizes },
  }: {
    terms: ReadonlyMap<number, number>;
    weighted: readonly WeightedTerm[];
    statistics: WordStatistics;
  },
) {
  const budget = budgetFor(collectionIds.length);
  const collections = collectionIds.map((id) => {
    const own = counts.get(id) ?? new Map<number, number>();
    const keys = candidateKeys(id, [...terms.keys()], { counts: own, budget });
    return { id, size: sizes.get(id) ?? 0, counts: own, keys };
  });
  return {
    keys: collections.flatMap(({ keys }) => keys),
    pruning: pruneCandidates(weighted, collections, depth),
  };
}

function toTermsSql(weighted: readonly WeightedTerm[]): string | null {
  // pgvector's package counts dimensions from 0, its SQL and our terms from 1.
  const entries = weighted.map(
    ({ term, weight }) => [term - 1, Number(weight.toPrecision(6))] as const,
  );
  return toSql(new SparseVector(new Map(entries), TERM_SPACE));
}
