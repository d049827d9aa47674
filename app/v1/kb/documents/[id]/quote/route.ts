import { apiKey } from "@/lib/auth/api-key";
import { readQuote } from "@/lib/documents/read/open";
import { IdParams, KbQuote, QuoteQuery } from "@/lib/documents/schema";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "findDocumentQuote",
  summary: "Find a permalink's quote in the document's current text.",
  gate: apiKey("kb:documents:read"),
  params: IdParams,
  query: QuoteQuery,
  answer: KbQuote,
  handle: ({ ctx, params, query }) => readQuote(ctx, { id: params.id, ref: query.ref }),
});
