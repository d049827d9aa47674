import { DeleteDocuments } from "@/lib/library/documents/delete-schema";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { deleteDocuments } from "@/lib/library/documents/write/remove-many";
import { memberPost } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: DeleteDocuments,
  handle: async ({ ctx, body }) => deleteDocuments(await toReaderContext(ctx), body),
});
