import { DeleteDocuments, DeletedDocuments } from "@/lib/library/documents/delete-schema";
import { deleteDocuments } from "@/lib/library/documents/write/remove-many";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "deleteDocuments",
  summary: "Delete up to 1,000 documents, by id or external_id.",
  gate: apiKey("kb:documents:write"),
  body: DeleteDocuments,
  answer: DeletedDocuments,
  handle: ({ ctx, body }) => deleteDocuments(ctx, body),
});
