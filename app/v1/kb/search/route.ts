import { SearchRequest, SearchResult } from "@/lib/library/retrieval/schema";
import { searchKnowledge } from "@/lib/library/retrieval/write";
import { keyPost } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("kb:search", {
  operationId: "searchKnowledge",
  summary: "Search the knowledge bases directly.",
  body: SearchRequest,
  answer: SearchResult,
  handle: ({ ctx, body }) => searchKnowledge(ctx, body),
});
