import { UpdateDocuments, UpdatedDocuments } from "@/lib/library/documents/library-schema";
import { updateDocuments } from "@/lib/library/documents/write/update-many";
import { keyPost } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("kb:documents:write", {
  operationId: "updateDocuments",
  summary: "Change the attributes, source type or standing of up to 500 documents.",
  body: UpdateDocuments,
  answer: UpdatedDocuments,
  handle: ({ ctx, body }) => updateDocuments(ctx, body),
});
