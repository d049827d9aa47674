import { DeleteDocuments } from "@/lib/library/documents/delete-schema";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { deleteDocuments } from "@/lib/library/documents/write/remove-many";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: DeleteDocuments,
  handle: async ({ ctx, body }) => deleteDocuments(await toReaderContext(ctx), body),
});
