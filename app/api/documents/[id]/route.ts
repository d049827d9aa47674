import { session } from "@/lib/auth/session-gate";
import { toReaderContext } from "@/lib/documents/read/documents";
import { IdParams, UpdateDocument } from "@/lib/documents/schema";
import { deleteDocument } from "@/lib/documents/write/remove";
import { updateDocument } from "@/lib/documents/write/update";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const PATCH = route({
  gate: session(),
  params: IdParams,
  body: UpdateDocument,
  handle: async ({ ctx, params, body }) =>
    updateDocument(await toReaderContext(ctx), params.id, body),
});

export const DELETE = route({
  gate: session(),
  params: IdParams,
  handle: async ({ ctx, params }) => deleteDocument(await toReaderContext(ctx), params.id),
});

export const { GET, POST, PUT } = methodNotAllowed({ PATCH, DELETE });
