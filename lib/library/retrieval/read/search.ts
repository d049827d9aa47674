import "server-only";

import { AppError, invalidRequest } from "@/lib/errors";
import { yieldIfLong } from "@/lib/event-loop";
import { boundTo, type Collection } from "@/lib/library/documents/collections";
import { rejectUnknownNames } from "@/lib/library/documents/read/filters";
import {
  type DocumentSelection,
  findSelected,
  type SearchedCollections,
} from "@/lib/library/documents/read/selection";
import { raceAbort } from "@/lib/models/embedding";
import type { Context } from "@/lib/platform/auth/context";
import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import { asSystem, asTenant } from "@/lib/platform/db/tenant-context";
import { env } from "@/lib/platform/env";
import { addLogField } from "@/lib/platform/http/log-context";
import { log } from "@/lib/platform/log";
import { DATABASE } from "@/lib/platform/tracing";
import { isTooLong, MAX_QUERY_TOKENS, type QueryWord, queryWords } from "@/lib/text/bm25";
import { selectTerms, termsToCount } from "../query-terms";
import type { Retrieval, SearchRequest } from "../schema";
import type { Correction } from "../spelling";
import { stage } from "../stage";
import { type CorrectedTerms, correctTerms } from "./correct-terms";
import { beginQueryEmbedding } from "./query-embedding";
import { readStatistics, type Scope } from "./retrievers";
import { searchLimiter } from "./search-limiter";
import { searchTerms } from "./search-terms";
import { type SelectedPassages, selectPassages } from "./select";

export interface SearchInput {
  query: string;
  collections: readonly Collection[];
  topK: number;
  /** Which documents; by default all of the collections. */
  documents?: DocumentSelection;
  /** Leaves out passages with a lower similarity. */
  minScore: number;
  /** Also finds passages of retracted documents. */
  includesRetracted?: boolean;
  /** `section` adds each passage's neighbors. */
  context?: "passage" | "section";
  /** Also returns what `minScore` left out. */
  isExplained?: boolean;
}

export interface SearchOutcome extends SelectedPassages {
  /** The query's misspelled words that were searched as words of the collections. */
  corrections: Correction[];
}

const NOTHING_FOUND: SearchOutcome = {
  passages: [],
  cut: [],
  candidates: 0,
  notices: [],
  corrections: [],
};

/** The documents that a request's fields select. */
export function toSelection({
  source_types,
  document_ids,
  filters,
}: Pick<SearchRequest, "source_types" | "document_ids" | "filters">): DocumentSelection {
  return { sourceTypes: source_types, ids: document_ids, filter: filters };
}

/** What was searched for and how, as responses show it. */
export function toRetrieval(
  { corrections, notices }: SearchOutcome,
  { query, ...how }: Pick<Retrieval, "query" | "method" | "rounds" | "closest">,
): Retrieval {
  const searchedAs = corrections.map(({ from, to }) => ({ from, to }));
  // Some JSON parsers refuse a lone surrogate, and with it the whole response.
  return { query: query.toWellFormed(), ...how, corrections: searchedAs, notices };
}

/** The minimum per retriever, so that fusion also knows chunks that only the other one ranks high. */
const MIN_DEPTH = 50;

/**
 * Finds the best passages for a query, by words alone if the embedding model fails or is slow. Throws invalid_request
 * for a query that is too long or a filter on unknown names, and retrieval_unavailable if the database fails, the deadline passes or too many
 * searches wait.
 */
export async function search(ctx: Context, input: SearchInput): Promise<SearchOutcome> {
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(env.RETRIEVAL_DEADLINE_MS)]);
  const startedAt = performance.now();
  const deadlineAt = startedAt + env.RETRIEVAL_DEADLINE_MS;
  try {
    return await stage("search", () => {
      signal.throwIfAborted();
      // Row-level security would be checked before the indexes are used, so the retrievers run without it and filter
      // by collection and account themselves. Reading the texts runs with it.
      return raceAbort(
        signal,
        asSystem(async () => {
          const outcome = await retrieve(ctx, input, { signal, deadlineAt });
          await rejectUnknownFilter({ ...ctx, signal }, input, outcome);
          return outcome;
        }),
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

/** A filter may match nothing, but not name an attribute that no document has. */
async function rejectUnknownFilter(
  ctx: Context,
  { collections, documents }: SearchInput,
  { passages }: SearchOutcome,
): Promise<void> {
  if (documents?.filter && passages.length === 0) {
    const ids = collections.map(({ id }) => id);
    await rejectUnknownNames(ctx.signal, [ids, boundTo(ctx)], documents.filter);
  }
}

async function retrieve(
  ctx: Context,
  input: SearchInput,
  { signal, deadlineAt }: { signal: AbortSignal; deadlineAt: number },
): Promise<SearchOutcome> {
  const embedding = beginQueryEmbedding(ctx, signal);
  const model = await embedding.open();
  await rejectLongQuery(input.query);
  await yieldIfLong();
  const words = queryWords(input.query);
  if (words.length === 0 && !model) {
    return { ...NOTHING_FOUND, notices: [...embedding.notices] };
  }
  // Before the cost of an embedding.
  searchLimiter.shedLoad();
  const searched = {
    collectionIds: input.collections.map(({ id }) => id),
    accountIds: [ctx.account.id, PUBLIC_ACCOUNT_ID],
    bound: boundTo(ctx),
  };
  const [point, corrected, scope] = await Promise.all([
    // First, because it takes longer.
    model && embedding.embed(model, input.query),
    stage(
      "statistics",
      () => readTerms(signal, { input, scope: searched, words, space: model?.space ?? null }),
      DATABASE,
    ),
    stage("selection", () => toScope(signal, searched, input), DATABASE),
  ]);
  const found = await Promise.all(
    corrected.map((terms) => searchTerms(signal, scope, { ...terms, point })),
  );
  const run = { signal, deadlineAt, requestId: ctx.requestId };
  const selected = await asTenant(ctx.account.id, () =>
    selectPassages(input, { results: found.flat(), point }, run),
  );
  const corrections = correctionsFor(selected, corrected);
  return { ...selected, notices: [...embedding.notices, ...selected.notices], corrections };
}

/** Those of the collections that passages come from; without a passage, of all. */
function correctionsFor(
  { passages }: SelectedPassages,
  corrected: readonly CorrectedTerms[],
): Correction[] {
  const scopes = new Set(passages.map(({ scope }) => scope));
  const used = corrected.filter(
    ({ collections }) => scopes.size === 0 || collections.some(({ scope }) => scopes.has(scope)),
  );
  const all = used.flatMap(({ corrections }) => corrections);
  return [...new Map(all.map((each) => [`${each.from}\n${each.to}`, each])).values()];
}

async function toScope(
  signal: AbortSignal,
  searched: SearchedCollections,
  { documents = {}, includesRetracted = false, topK }: SearchInput,
): Promise<Scope> {
  return {
    ...searched,
    documents: await findSelected(signal, searched, documents),
    includesRetracted,
    depth: Math.max(MIN_DEPTH, 2 * topK),
  };
}

/** The query's terms in the languages of the collections, spelled as there, with the statistics of all. */
async function readTerms(
  signal: AbortSignal,
  {
    input: { query, collections },
    scope,
    words,
    space,
  }: {
    input: SearchInput;
    scope: SearchedCollections;
    words: readonly QueryWord[];
    space: string | null;
  },
) {
  const statistics = await readStatistics(signal, collections, {
    terms: termsToCount(words),
    words: words.length,
    space,
  });
  await yieldIfLong();
  const terms = selectTerms(words, statistics);
  await yieldIfLong();
  return correctTerms(signal, { query, collections, scope }, { terms, statistics });
}

async function rejectLongQuery(query: string): Promise<void> {
  if (await isTooLong(query, MAX_QUERY_TOKENS)) {
    throw invalidRequest(`The search text is longer than ${MAX_QUERY_TOKENS} tokens. Shorten it.`);
  }
}
