import { apiKey } from "@/lib/auth/api-key";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { SearchRequest } from "@/lib/retrieval/schema";
import { searchKnowledge } from "@/lib/retrieval/write";

export const POST = route({
  gate: apiKey("kb:search"),
  body: SearchRequest,
  handle: ({ ctx, body }) => searchKnowledge(ctx, body),
});

export const { GET, PUT, PATCH, DELETE } = otherMethods("POST");
