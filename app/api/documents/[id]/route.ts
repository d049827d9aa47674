import { session } from "@/lib/auth/session-gate";
import { toReaderContext } from "@/lib/documents/read/documents";
import { IdParams } from "@/lib/documents/schema";
import { deleteDocument } from "@/lib/documents/write/remove";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const DELETE = route({
  gate: session(),
  params: IdParams,
  handle: async ({ ctx, params }) => deleteDocument(await toReaderContext(ctx), params.id),
});

export const { GET, POST, PUT, PATCH } = methodNotAllowed("DELETE");
