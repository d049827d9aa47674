import "server-only";

import type { Attributes } from "@opentelemetry/api";
import pLimit from "p-limit";
import { SparseVector, toSql } from "pgvector";
import type { Context } from "@/lib/auth/context";
import { PUBLIC_ACCOUNT_ID } from "@/lib/auth/public-account";
import { asSystem, asTenant } from "@/lib/db/tenant-context";
import type { Collection } from "@/lib/documents/collections";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { addLogField } from "@/lib/http/log-context";
import { log } from "@/lib/log";
import { metrics, secondsSince } from "@/lib/metrics";
import { embedder, raceAbort } from "@/lib/models/embedding";
import { processSingleton } from "@/lib/singleton";
import { TERM_SPACE } from "@/lib/text/analyzer";
import { isTooLong, MAX_QUERY_TOKENS, type QueryWord, queryWords } from "@/lib/text/bm25";
import { DATABASE, errorType, inSpan } from "@/lib/tracing";
import { type Candidate, fuse, type Ranked } from "../fuse";
import {
  budgetFor,
  candidateKeys,
  selectTerms,
  similarityOf,
  termsToCount,
  type WeightedTerm,
  weighTerms,
} from "../query-terms";
import type { Correction } from "../spelling";
import { correctTerms } from "./correct-terms";
import { type Passage, readPassages } from "./passages";
import { readStatistics, type Scope, searchLexical, searchVectors } from "./retrievers";

export interface SearchInput {
  query: string;
  collections: readonly Collection[];
  topK: number;
  sourceTypes: readonly string[] | undefined;
  /** Leaves out passages with a lower similarity. */
  minScore: number;
}

export interface SearchOutcome {
  /** Best first. */
  passages: Passage[];
  /** Left out because of `minScore`, best first. */
  cut: Scored[];
  /** How many chunks the retrievers found. */
  candidates: number;
  /** The query's misspelled words that were searched as words of the collections. */
  corrections: Correction[];
}

type Scored = Ranked & { similarity: number };

/** The minimum per retriever, so that fusion also knows chunks that only the other one ranks high. */
const MIN_DEPTH = 100;

/** Outcomes in the metrics by type of error. Others are `failed`. */
const OUTCOMES: Record<string, string> = {
  invalid_request: "rejected",
  TimeoutError: "timeout",
  AbortError: "aborted",
};

/** With the search itself, this wait stays well below the deadline. */
const MAX_WAIT_MS = 1000;
/** The weight of the newest duration in the moving average. */
const NEWEST_WEIGHT = 0.1;

/** Queues searches in order, and rejects those that would wait too long: an overloaded database makes each one late. */
export function createSearchLimiter(concurrency: number) {
  const limit = pLimit(concurrency);
  let averageMs = 0;

  /** Throws retrieval_unavailable if a new search would wait too long. */
  function shedLoad(): void {
    if ((limit.pendingCount * averageMs) / concurrency > MAX_WAIT_MS) {
      throw new AppError(
        "retrieval_unavailable",
        "Too many searches are waiting. Wait a second and try again.",
        { headers: { "retry-after": "1" } },
      );
    }
  }

  /** Throws as `shedLoad`, and the signal's reason if it aborts before the work starts. */
  async function run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    shedLoad();
    return limit(async () => {
      signal.throwIfAborted();
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        averageMs += (performance.now() - startedAt - averageMs) * NEWEST_WEIGHT;
      }
    });
  }

  return { shedLoad, run };
}

/** Leaves two connections for holds, settlements and other short work. */
export const searchLimiter = processSingleton("search limiter", () =>
  createSearchLimiter(Math.max(1, env.DATABASE_POOL_SIZE - 2)),
);

/**
 * Finds the best passages for a query. Throws invalid_request for a query that is too long, and
 * retrieval_unavailable if the embedder or the database fails, the deadline passes or too many searches wait.
 */
export async function search(ctx: Context, input: SearchInput): Promise<SearchOutcome> {
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(env.RETRIEVAL_DEADLINE_MS)]);
  const startedAt = performance.now();
  try {
    return await stage("search", () => {
      signal.throwIfAborted();
      // Row-level security would be checked before the indexes are used, so the retrievers run without it and filter
      // by collection and account themselves. Reading the texts runs with it.
      return raceAbort(
        signal,
        asSystem(() => retrieve(ctx, input, signal)),
      );
    });
  } catch (cause) {
    if (cause instanceof AppError) {
      throw cause;
    }
    log.warn({ err: cause, request_id: ctx.requestId }, "retrieval failed");
    throw new AppError(
      "retrieval_unavailable",
      "Knowledge base search is not available right now. Try again in a moment.",
      { cause, headers: { "retry-after": "1" } },
    );
  } finally {
    addLogField({ retrieval_ms: Math.round(performance.now() - startedAt) });
  }
}

async function retrieve(
  ctx: Context,
  input: SearchInput,
  signal: AbortSignal,
): Promise<SearchOutcome> {
  const model = await embedder(signal);
  rejectLongQuery(
    input.query,
    Math.min(model?.maxQueryTokens ?? MAX_QUERY_TOKENS, MAX_QUERY_TOKENS),
  );
  const words = queryWords(input.query);
  if (words.length === 0 && !model) {
    return { passages: [], cut: [], candidates: 0, corrections: [] };
  }
  // Before the cost of an embedding.
  searchLimiter.shedLoad();
  const scope: Scope = {
    collectionIds: input.collections.map(({ id }) => id),
    accountIds: [ctx.account.id, PUBLIC_ACCOUNT_ID],
    sourceTypes: input.sourceTypes ?? null,
    depth: Math.max(MIN_DEPTH, 2 * input.topK),
  };
  const [point, { terms: counted, statistics, corrections }] = await Promise.all([
    // First, because it takes longer.
    model
      ? stage("embedding", async () => {
          const { space, dimensions } = model;
          const vector = await model.embedQuery(input.query, signal);
          return { space, dimensions, sql: toSql(Array.from(vector)) };
        })
      : null,
    stage(
      "statistics",
      () => readTerms(signal, { input, scope, words, space: model?.space ?? null }),
      DATABASE,
    ),
  ]);
  const terms = [...counted.keys()];
  const weighted = weighTerms(counted, statistics, scope.collectionIds);
  const vectors = { terms: toTermsSql(weighted), point };
  const { counts, indexed } = statistics;
  const budget = budgetFor(scope.collectionIds.length);
  const keys = scope.collectionIds.flatMap((id) =>
    candidateKeys(id, terms, { counts: counts.get(id) ?? new Map(), budget }),
  );
  const lexical = () => searchLexical(signal, scope, { ...vectors, keys });
  const results = await searchLimiter.run(signal, () =>
    Promise.all([
      keys.length > 0 ? stage("words", lexical, DATABASE) : [],
      point
        ? stage(
            "vectors",
            () => searchVectors(signal, scope, { ...vectors, point, indexed }),
            DATABASE,
          )
        : [],
    ]),
  );
  const texts = (ranked: Scored[]) => asTenant(ctx.account.id, () => readPassages(signal, ranked));
  return { ...(await select(texts, input, { results, weighted })), corrections };
}

/** The query's terms in the languages of the collections, spelled as there, with the statistics of all. */
async function readTerms(
  signal: AbortSignal,
  {
    input: { query, collections },
    scope,
    words,
    space,
  }: { input: SearchInput; scope: Scope; words: readonly QueryWord[]; space: string | null },
) {
  const statistics = await readStatistics(signal, collections, {
    terms: termsToCount(words),
    words: words.length,
    space,
  });
  const terms = selectTerms(words, statistics);
  return correctTerms(signal, { query, collections, scope }, { terms, statistics });
}

/** Applies `min_score` after fusion, so that one retriever's low score never hides the other's result. */
async function select(
  texts: (ranked: Scored[]) => Promise<Passage[]>,
  { topK, minScore }: SearchInput,
  found: { results: readonly Candidate[][]; weighted: readonly WeightedTerm[] },
): Promise<Omit<SearchOutcome, "corrections">> {
  const weights = { vector: env.SEARCH_VECTOR_WEIGHT, lexical: env.SEARCH_LEXICAL_WEIGHT };
  const ranked = await stage("fusion", async () =>
    fuse(found.results, weights).map((each) => ({
      ...each,
      similarity: similarity(each, found.weighted),
    })),
  );
  const selected = ranked.filter((each) => each.similarity >= minScore);
  return {
    passages: await stage("passages", () => texts(selected.slice(0, topK)), DATABASE),
    cut: ranked.slice(0, topK).filter((each) => each.similarity < minScore),
    candidates: ranked.length,
  };
}

/** The cosine, at least 0; for a chunk without a vector in the embedder's space, the calibrated BM25. */
function similarity({ cosine, bm25 }: Candidate, weighted: readonly WeightedTerm[]): number {
  return cosine === null
    ? similarityOf(bm25, weighted)
    : Math.round(Math.min(1, Math.max(0, cosine)) * 10_000) / 10_000;
}

function rejectLongQuery(query: string, maxTokens: number): void {
  if (isTooLong(query, maxTokens)) {
    throw new AppError(
      "invalid_request",
      `The search text is longer than ${maxTokens} tokens. Shorten the last user message.`,
    );
  }
}

function toTermsSql(weighted: readonly WeightedTerm[]): string | null {
  // pgvector's package counts dimensions from 0, its SQL and our terms from 1.
  const entries = weighted.map(
    ({ term, weight }) => [term - 1, Number(weight.toPrecision(6))] as const,
  );
  return toSql(new SparseVector(new Map(entries), TERM_SPACE));
}

/** Runs one stage of a search in a span, and records its duration. */
async function stage<T>(
  name: "search" | "statistics" | "embedding" | "words" | "vectors" | "fusion" | "passages",
  work: () => Promise<T>,
  attributes: Attributes = {},
): Promise<T> {
  const startedAt = performance.now();
  const record = (outcome: string) =>
    metrics()?.retrieval.record(secondsSince(startedAt), { stage: name, outcome });
  try {
    const result = await inSpan(`retrieval ${name}`, attributes, work);
    record("ok");
    return result;
  } catch (thrown) {
    record(OUTCOMES[errorType(thrown)] ?? "failed");
    throw thrown;
  }
}
