import { apiKey } from "@/lib/auth/api-key";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { SearchRequest, SearchResult } from "@/lib/retrieval/schema";
import { searchKnowledge } from "@/lib/retrieval/write";

export const POST = route({
  summary: "Search the knowledge bases directly.",
  gate: apiKey("kb:search"),
  body: SearchRequest,
  answer: SearchResult,
  handle: ({ ctx, body }) => searchKnowledge(ctx, body),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
