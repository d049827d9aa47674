import { TextRange, TextWindow } from "@/lib/library/documents/library-schema";
import { readText } from "@/lib/library/documents/read/open";
import { IdParams } from "@/lib/library/documents/schema";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getDocumentText",
  summary: "Read a part of a document's text, as it was indexed.",
  gate: apiKey("kb:documents:read"),
  params: IdParams,
  query: TextRange,
  answer: TextWindow,
  handle: ({ ctx, params, query }) => readText(ctx, { id: params.id, look: query }),
});
