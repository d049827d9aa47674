import { TextRange, TextWindow } from "@/lib/library/documents/library-schema";
import { readText } from "@/lib/library/documents/read/open";
import { IdParams } from "@/lib/library/documents/schema";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("kb:documents:read", {
  operationId: "getDocumentText",
  summary: "Read a part of a document's text, as it was indexed.",
  params: IdParams,
  query: TextRange,
  answer: TextWindow,
  handle: ({ ctx, params, query }) => readText(ctx, { id: params.id, look: query }),
});
