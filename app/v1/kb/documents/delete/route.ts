import { apiKey } from "@/lib/auth/api-key";
import { DeleteDocuments, DeletedDocuments } from "@/lib/documents/delete-schema";
import { deleteDocuments } from "@/lib/documents/write/remove-many";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "deleteDocuments",
  summary: "Delete up to 1,000 documents, by id or external_id.",
  gate: apiKey("kb:documents:write"),
  body: DeleteDocuments,
  answer: DeletedDocuments,
  handle: ({ ctx, body }) => deleteDocuments(ctx, body),
});
