import { DeleteDocuments, DeletedDocuments } from "@/lib/library/documents/delete-schema";
import { deleteDocuments } from "@/lib/library/documents/write/remove-many";
import { keyPost } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("kb:documents:write", {
  operationId: "deleteDocuments",
  summary: "Delete up to 1,000 documents, by id or external_id.",
  body: DeleteDocuments,
  answer: DeletedDocuments,
  handle: ({ ctx, body }) => deleteDocuments(ctx, body),
});
