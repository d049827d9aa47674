import "server-only";

import { AppError, invalidRequest } from "@/lib/errors";
import { findFileNames } from "@/lib/library/documents/read/files";
import { toAttributes } from "@/lib/library/documents/read/store-files";
import { getUsableStore } from "@/lib/library/documents/read/stores";
import { resolveSearched, searchedIn } from "@/lib/library/documents/write/searched";
import { costHeaders, microsToUsd } from "@/lib/money/billing/money";
import { RATES, searchCost } from "@/lib/money/billing/rates";
import { placeHold } from "@/lib/money/billing/write/hold";
import { settle, type Usage } from "@/lib/money/billing/write/settle";
import type { KeyContext } from "@/lib/platform/auth/context";
import { toAppError } from "@/lib/platform/http/error-response";
import { Reply } from "@/lib/platform/http/route";
import { log } from "@/lib/platform/log";
import { explain, toFoundPassage } from "./read/passages";
import {
  type SearchInput,
  type SearchOutcome,
  search,
  toRetrieval,
  toSelection,
} from "./read/search";
import { searchLimiter } from "./read/search-limiter";
import { SearchBounds, type SearchRequest, type SearchResult } from "./schema";
import type { SearchVectorStore, VectorStoreSearchPage } from "./store-search-schema";

const MIN_SCORE = SearchBounds.min_score.def.defaultValue;

/** A direct search, charged if it succeeds. Throws insufficient_scope, 402, invalid_request or retrieval_unavailable. */
export async function searchKnowledge(ctx: KeyContext, input: SearchRequest): Promise<Reply> {
  const { collections, stores } = await resolveSearched(ctx, input, "sources");
  const { outcome, costUsd } = await chargedSearch(ctx, "/v1/kb/search", {
    query: input.query,
    collections,
    topK: input.top_k,
    documents: { ...toSelection(input), stores },
    minScore: input.min_score,
    includesRetracted: input.include_retracted,
    isExplained: input.explain,
  });
  const retrieval = toRetrieval(outcome, { query: input.query, method: "given" });
  const result: SearchResult = {
    object: "list",
    query: retrieval.query,
    retrieval,
    ...shown(outcome, input.explain),
    usage: { searches: 1, cost_usd: costUsd },
  };
  return new Reply(result, costHeaders(costUsd));
}

/** The same search of one vector store, in OpenAI's shape. Throws not_found, also for an expired store. */
export async function searchStore(
  ctx: KeyContext,
  id: string,
  { query, filters, max_num_results: topK, ranking_options = {} }: SearchVectorStore,
): Promise<Reply> {
  const store = await getUsableStore(ctx, id);
  const { collections, stores } = await searchedIn([store]);
  const queries = typeof query === "string" ? [query] : query;
  const { outcome, costUsd } = await chargedSearch(ctx, "/v1/vector_stores", {
    ...{ query: queries.join("\n"), collections, topK },
    documents: { filter: filters, stores },
    minScore: ranking_options.score_threshold ?? MIN_SCORE,
  });
  const ids = outcome.passages.map(({ documentId }) => documentId);
  const names = await findFileNames(ids, store.collection.accountId);
  const result: VectorStoreSearchPage = {
    object: "vector_store.search_results.page",
    search_query: queries.map((each) => each.toWellFormed()),
    data: outcome.passages.map((passage) => ({
      file_id: passage.documentId,
      filename: names.get(passage.documentId) ?? passage.title,
      score: passage.similarity,
      attributes: toAttributes(passage.metadata),
      content: [{ type: "text", text: passage.text }],
      ...{ chunk_id: passage.chunkId, metadata: toFoundPassage(passage).metadata },
    })),
    ...{ has_more: false, next_page: null },
  };
  return new Reply(result, costHeaders(costUsd));
}

async function chargedSearch(
  ctx: KeyContext,
  endpoint: string,
  input: SearchInput,
): Promise<{ outcome: SearchOutcome; costUsd: string }> {
  const startedAt = Date.now();
  // Before placing a hold.
  searchLimiter.shedLoad();
  const hold = await placeHold(ctx, searchCost());
  const usage = (status: number, passages: number | null): Usage => ({
    endpoint,
    model: null,
    kind: "search",
    promptTokens: 0,
    completionTokens: 0,
    passages,
    rate: { search_usd: RATES.searchUsd },
    status,
    warningCodes: [],
    latencyMs: Date.now() - startedAt,
    firstTokenMs: null,
  });
  try {
    const outcome = await search(ctx, input);
    const charged = await settle(
      { ...hold, costMicros: searchCost() },
      usage(200, outcome.passages.length),
    );
    return { outcome, costUsd: microsToUsd(charged) };
  } catch (thrown) {
    const isTooLong =
      thrown instanceof AppError && thrown.code === "invalid_request" && !thrown.param;
    await settle({ ...hold, costMicros: 0n }, usage(toAppError(thrown).status, null)).catch(
      (cause: unknown) =>
        log.error(
          { err: cause, request_id: hold.id },
          "could not release the hold of a failed search",
        ),
    );
    throw isTooLong ? invalidRequest(thrown.message, "query") : thrown;
  }
}

function shown(
  { passages, cut, candidates }: SearchOutcome,
  isExplained: boolean,
): Pick<SearchResult, "data" | "explain"> {
  const data = passages.map((passage) => ({
    ...toFoundPassage(passage),
    text: passage.text,
    ...(isExplained && { explain: explain(passage.ranks) }),
  }));
  const cutOff = cut.map((each) => ({
    chunk_id: each.chunkId,
    document_id: each.documentId,
    title: each.title,
    similarity: each.similarity,
    ...explain(each.ranks),
  }));
  return { data, ...(isExplained && { explain: { candidates, cut: cutOff } }) };
}
