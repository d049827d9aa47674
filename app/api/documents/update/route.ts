import { UpdateDocuments } from "@/lib/library/documents/library-schema";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { updateDocuments } from "@/lib/library/documents/write/update-many";
import { memberPost } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: UpdateDocuments,
  handle: async ({ ctx, body }) => updateDocuments(await toReaderContext(ctx), body),
});
