import { UpdateDocuments } from "@/lib/library/documents/library-schema";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { updateDocuments } from "@/lib/library/documents/write/update-many";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: UpdateDocuments,
  handle: async ({ ctx, body }) => updateDocuments(await toReaderContext(ctx), body),
});
