import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { formatUsd } from "@/lib/billing/money";
import { RATES, searchCost } from "@/lib/billing/rates";
import { admit, settle, type Usage } from "@/lib/billing/write";
import { requestedCollections } from "@/lib/documents/collections";
import { AppError } from "@/lib/errors";
import { toAppError } from "@/lib/http/error-response";
import { Reply } from "@/lib/http/route";
import { toFoundPassage } from "./passage";
import { search } from "./read";
import type { SearchRequest, SearchResult } from "./schema";

/**
 * A direct search, charged at the search rate when it succeeds. Throws insufficient_scope, 402,
 * invalid_request for a query that is too long, or retrieval_unavailable.
 */
export async function searchKnowledge(ctx: KeyContext, input: SearchRequest): Promise<Reply> {
  const startedAt = Date.now();
  const collections = requestedCollections(ctx, input.sources, "sources");
  const hold = await admit(ctx, searchCost());
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
    const passages = await search(ctx, {
      query: input.query,
      collections,
      topK: input.top_k,
      sourceTypes: input.source_types,
      minScore: input.min_score,
    });
    const charged = await settle(
      { id: hold.id, costMicros: searchCost() },
      usage(200, passages.length),
    );
    const costUsd = formatUsd(charged);
    const result: SearchResult = {
      object: "list",
      query: input.query,
      data: passages.map((passage, index) => ({
        ...toFoundPassage(passage),
        text: passage.text,
        ...(input.explain && {
          explain: { vector_rank: null, lexical_rank: index + 1, score: passage.score },
        }),
      })),
      usage: { searches: 1, cost_usd: costUsd },
    };
    return new Reply(result, { "x-footnote-cost-usd": costUsd });
  } catch (thrown) {
    const isTooLong = thrown instanceof AppError && thrown.code === "invalid_request";
    await settle({ id: hold.id, costMicros: 0n }, usage(toAppError(thrown).status, null));
    throw isTooLong ? new AppError("invalid_request", thrown.message, { param: "query" }) : thrown;
  }
}
