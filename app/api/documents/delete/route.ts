import { session } from "@/lib/auth/session-gate";
import { DeleteDocuments } from "@/lib/documents/delete-schema";
import { toReaderContext } from "@/lib/documents/read/documents";
import { deleteDocuments } from "@/lib/documents/write/remove-many";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: DeleteDocuments,
  handle: async ({ ctx, body }) => deleteDocuments(await toReaderContext(ctx), body),
});
