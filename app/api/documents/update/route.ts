import { session } from "@/lib/auth/session-gate";
import { UpdateDocuments } from "@/lib/documents/library-schema";
import { toReaderContext } from "@/lib/documents/read/documents";
import { updateDocuments } from "@/lib/documents/write/update-many";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: UpdateDocuments,
  handle: async ({ ctx, body }) => updateDocuments(await toReaderContext(ctx), body),
});
