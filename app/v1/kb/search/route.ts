import { apiKey } from "@/lib/auth/api-key";
import { onlyPost } from "@/lib/http/only-method";
import { SearchRequest, SearchResult } from "@/lib/retrieval/schema";
import { searchKnowledge } from "@/lib/retrieval/write";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "searchKnowledge",
  summary: "Search the knowledge bases directly.",
  gate: apiKey("kb:search"),
  body: SearchRequest,
  answer: SearchResult,
  handle: ({ ctx, body }) => searchKnowledge(ctx, body),
});
