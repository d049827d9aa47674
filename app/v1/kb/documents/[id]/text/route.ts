import { apiKey } from "@/lib/auth/api-key";
import { TextRange, TextWindow } from "@/lib/documents/library-schema";
import { readText } from "@/lib/documents/read/open";
import { IdParams } from "@/lib/documents/schema";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getDocumentText",
  summary: "Read a part of a document's text, as it was indexed.",
  gate: apiKey("kb:documents:read"),
  params: IdParams,
  query: TextRange,
  answer: TextWindow,
  handle: ({ ctx, params, query }) => readText(ctx, { id: params.id, look: query }),
});
