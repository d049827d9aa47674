import { SearchRequest, SearchResult } from "@/lib/library/retrieval/schema";
import { searchKnowledge } from "@/lib/library/retrieval/write";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "searchKnowledge",
  summary: "Search the knowledge bases directly.",
  gate: apiKey("kb:search"),
  body: SearchRequest,
  answer: SearchResult,
  handle: ({ ctx, body }) => searchKnowledge(ctx, body),
});
