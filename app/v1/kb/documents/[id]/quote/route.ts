import { KbQuote, QuoteQuery } from "@/lib/library/documents/quote-schema";
import { readQuote } from "@/lib/library/documents/read/open";
import { IdParams } from "@/lib/library/documents/schema";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("kb:documents:read", {
  operationId: "findDocumentQuote",
  summary: "Find a permalink's quote in the document's current text.",
  params: IdParams,
  query: QuoteQuery,
  answer: KbQuote,
  handle: ({ ctx, params, query }) => readQuote(ctx, { id: params.id, ref: query.ref }),
});
