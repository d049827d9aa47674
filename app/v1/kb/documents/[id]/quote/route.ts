import { KbQuote, QuoteQuery } from "@/lib/library/documents/quote-schema";
import { readQuote } from "@/lib/library/documents/read/open";
import { IdParams } from "@/lib/library/documents/schema";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "findDocumentQuote",
  summary: "Find a permalink's quote in the document's current text.",
  gate: apiKey("kb:documents:read"),
  params: IdParams,
  query: QuoteQuery,
  answer: KbQuote,
  handle: ({ ctx, params, query }) => readQuote(ctx, { id: params.id, ref: query.ref }),
});
