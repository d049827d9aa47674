import "server-only";

import { AppError } from "@/lib/errors";
import { requestedCollections } from "@/lib/library/documents/collections";
import { costHeaders, microsToUsd } from "@/lib/money/billing/money";
import { RATES, searchCost } from "@/lib/money/billing/rates";
import { placeHold } from "@/lib/money/billing/write/hold";
import { settle, type Usage } from "@/lib/money/billing/write/settle";
import type { KeyContext } from "@/lib/platform/auth/context";
import { toAppError } from "@/lib/platform/http/error-response";
import { Reply } from "@/lib/platform/http/route";
import { log } from "@/lib/platform/log";
import { explain, toFoundPassage } from "./read/passages";
import { type SearchOutcome, search, toRetrieval, toSelection } from "./read/search";
import { searchLimiter } from "./read/search-limiter";
import type { SearchRequest, SearchResult } from "./schema";

/** A direct search, charged if it succeeds. Throws insufficient_scope, 402, invalid_request or retrieval_unavailable. */
export async function searchKnowledge(ctx: KeyContext, input: SearchRequest): Promise<Reply> {
  const startedAt = Date.now();
  const collections = requestedCollections(ctx, input.sources, "sources");
  // Before placing a hold.
  searchLimiter.shedLoad();
  const hold = await placeHold(ctx, searchCost());
  const usage = (status: number, passages: number | null): Usage => ({
    endpoint: "/v1/kb/search",
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
    const outcome = await search(ctx, {
      query: input.query,
      collections,
      topK: input.top_k,
      documents: toSelection(input),
      minScore: input.min_score,
      includesRetracted: input.include_retracted,
    });
    const charged = await settle(
      { ...hold, costMicros: searchCost() },
      usage(200, outcome.passages.length),
    );
    const costUsd = microsToUsd(charged);
    const retrieval = toRetrieval(outcome, { query: input.query, method: "given" });
    const result: SearchResult = {
      object: "list",
      query: retrieval.query,
      retrieval,
      ...shown(outcome, input.explain),
      usage: { searches: 1, cost_usd: costUsd },
    };
    return new Reply(result, costHeaders(costUsd));
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
    throw isTooLong ? new AppError("invalid_request", thrown.message, { param: "query" }) : thrown;
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
    chunk_id: each.id,
    similarity: each.similarity,
    ...explain(each),
  }));
  return { data, ...(isExplained && { explain: { candidates, cut: cutOff } }) };
}
