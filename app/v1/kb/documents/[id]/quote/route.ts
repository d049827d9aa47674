import { apiKey } from "@/lib/auth/api-key";
import { readQuote } from "@/lib/documents/read/open";
import { IdParams, KbQuote, QuoteQuery } from "@/lib/documents/schema";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  summary: "Find a permalink's quote in the document's current text.",
  gate: apiKey("kb:documents:read"),
  params: IdParams,
  query: QuoteQuery,
  answer: KbQuote,
  handle: ({ ctx, params, query }) => readQuote(ctx, { id: params.id, ref: query.ref }),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
