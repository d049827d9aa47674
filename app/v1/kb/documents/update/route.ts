import { UpdateDocuments, UpdatedDocuments } from "@/lib/library/documents/library-schema";
import { updateDocuments } from "@/lib/library/documents/write/update-many";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "updateDocuments",
  summary: "Change the attributes, source type or standing of up to 500 documents.",
  gate: apiKey("kb:documents:write"),
  body: UpdateDocuments,
  answer: UpdatedDocuments,
  handle: ({ ctx, body }) => updateDocuments(ctx, body),
});
