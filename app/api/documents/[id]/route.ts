import { session } from "@/lib/auth/session-gate";
import { toReaderContext } from "@/lib/documents/read/documents";
import { IdParams } from "@/lib/documents/schema";
import { deleteDocument } from "@/lib/documents/write/remove";
import { onlyDelete } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyDelete({
  gate: session(),
  params: IdParams,
  handle: async ({ ctx, params }) => deleteDocument(await toReaderContext(ctx), params.id),
});
