import "server-only";

import type { Context } from "@/lib/auth/context";
import { PUBLIC_ACCOUNT_ID } from "@/lib/auth/public-account";
import { asSystem, asTenant } from "@/lib/db/tenant-context";
import type { Collection } from "@/lib/documents/collections";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { addLogField } from "@/lib/http/log-context";
import { log } from "@/lib/log";
import { type Embedder, embedder } from "@/lib/models/embedding";
import { TERM_SPACE } from "@/lib/text/analyzer";
import { isTooLong, MAX_QUERY_TOKENS, queryTerms } from "@/lib/text/bm25";
import { DATABASE } from "@/lib/tracing";
import { type Candidate, fuse, type Ranked } from "../fuse";
import type { Passage } from "../passage";
import {
  budgetFor,
  candidateKeys,
  similarityOf,
  type WeightedTerm,
  weighTerms,
} from "../query-terms";
import { searchLimiter } from "../search-limiter";
import { stage } from "../stage";
import { readPassages } from "./passages";
import { type QueryVectors, type Scope, searchVectors, searchLexical } from "./retrievers";
import { readStatistics } from "./statistics";

export interface SearchInput {
  query: string;
  collections: readonly Collection[];
  topK: number;
  sourceTypes: readonly string[] | undefined;
  /** Passages of a lower similarity are left out. */
  minScore: number;
}

export interface SearchOutcome {
  /** Best first. */
  passages: Passage[];
  /** What would have been among them but for `minScore`, best first. */
  cut: Scored[];
  /** How many chunks the legs found together. */
  candidates: number;
}

type Scored = Ranked & { similarity: number };

/** Each leg gives at least this many, so that what only the other one ranks high is fused all the same. */
const LEAST_DEPTH = 100;

/**
 * The best passages for a query. Throws invalid_request when the query is longer than the embedder
 * takes, and retrieval_unavailable when the embedder or the database fails, the deadline passes, or too
 * many searches wait.
 */
export async function search(ctx: Context, input: SearchInput): Promise<SearchOutcome> {
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(env.RETRIEVAL_DEADLINE_MS)]);
  const startedAt = performance.now();
  try {
    return await stage("search", () => {
      signal.throwIfAborted();
      // A row's policy comes before what an index of words or vectors would find, so no policy binds the legs: their
      // own predicates do, and the wall stands around the texts.
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
      "The knowledge base search is not available right now. Try again in a moment.",
      { cause, headers: { "retry-after": "1" } },
    );
  } finally {
    addLogField({ retrieval_ms: Math.round(performance.now() - startedAt) });
  }
}

/** What `work` gives, or a rejection as soon as the signal ends. */
function raceAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });
}

async function retrieve(ctx: Context, input: SearchInput, signal: AbortSignal): Promise<SearchOutcome> {
  const model = await embedder(signal);
  rejectLongQuery(input.query, Math.min(model?.maxQueryTokens ?? MAX_QUERY_TOKENS, MAX_QUERY_TOKENS));
  const terms = queryTerms(input.query);
  if (terms.length === 0 && !model) {
    return { passages: [], cut: [], candidates: 0 };
  }
  // Before the embedder is asked for nothing.
  searchLimiter.shedLoad();
  const [point, statistics] = await Promise.all([
    // The one that takes longer goes first.
    model ? stage("embedding", () => embed(model, input.query, signal)) : null,
    stage(
      "statistics",
      () => readStatistics(signal, input.collections, { terms, space: model?.space ?? null }),
      DATABASE,
    ),
  ]);
  const weighted = weighTerms(terms, statistics);
  const vectors = { words: toSparseQuery(weighted), point };
  const scope: Scope = {
    collectionIds: input.collections.map(({ id }) => id),
    accountIds: [ctx.account.id, PUBLIC_ACCOUNT_ID],
    sourceTypes: input.sourceTypes ?? null,
    depth: Math.max(LEAST_DEPTH, 2 * input.topK),
  };
  const budget = budgetFor(scope.collectionIds.length);
  const keys = scope.collectionIds.flatMap((id) =>
    candidateKeys(id, terms, { counts: statistics.counts.get(id) ?? new Map(), budget }),
  );
  const legs = await searchLimiter.run(signal, () =>
    Promise.all([
      keys.length > 0
        ? stage("words", () => searchLexical(signal, scope, { vectors, keys }), DATABASE)
        : [],
      point
        ? stage(
            "vectors",
            () => searchVectors(signal, scope, { vectors, indexed: statistics.indexed }),
            DATABASE,
          )
        : [],
    ]),
  );
  const texts = (ranked: Scored[]) => asTenant(ctx.account.id, () => readPassages(signal, ranked));
  return select(texts, input, { legs, weighted });
}

/** `min_score` cuts on similarity, after both legs are fused: it never hides what the other leg would show. */
async function select(
  texts: (ranked: Scored[]) => Promise<Passage[]>,
  { topK, minScore }: SearchInput,
  found: { legs: readonly Candidate[][]; weighted: readonly WeightedTerm[] },
): Promise<SearchOutcome> {
  const weights = { vector: env.SEARCH_VECTOR_WEIGHT, lexical: env.SEARCH_LEXICAL_WEIGHT };
  const ranked = await stage("fusion", async () =>
    fuse(found.legs, weights).map((each) => ({
      ...each,
      similarity: similarity(each, found.weighted),
    })),
  );
  const kept = ranked.filter((each) => each.similarity >= minScore);
  return {
    passages: await stage("passages", () => texts(kept.slice(0, topK)), DATABASE),
    cut: ranked.slice(0, topK).filter((each) => each.similarity < minScore),
    candidates: ranked.length,
  };
}

/** The cosine, clamped below at 0; of a chunk that has no vector in the embedder's space, its calibrated BM25. */
function similarity({ cosine, bm25 }: Candidate, weighted: readonly WeightedTerm[]): number {
  return cosine === null
    ? similarityOf(bm25, weighted)
    : Math.round(Math.min(1, Math.max(0, cosine)) * 10_000) / 10_000;
}

function rejectLongQuery(query: string, maxTokens: number): void {
  if (isTooLong(query, maxTokens)) {
    throw new AppError(
      "invalid_request",
      `The text to search for is longer than the ${maxTokens} tokens that the search takes. Shorten the last user message.`,
    );
  }
}

async function embed(
  model: Embedder,
  query: string,
  signal: AbortSignal,
): Promise<QueryVectors["point"]> {
  const { space, dimensions } = model;
  const point = await model.embedQuery(query, signal);
  return { space, dimensions, text: `[${point.join(",")}]` };
}

function toSparseQuery(weighted: readonly WeightedTerm[]): string {
  return `{${weighted.map(({ term, idf }) => `${term}:${idf.toPrecision(6)}`).join(",")}}/${TERM_SPACE}`;
}
