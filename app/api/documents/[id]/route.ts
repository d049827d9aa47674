import { toReaderContext } from "@/lib/library/documents/read/documents";
import { IdParams, UpdateDocument } from "@/lib/library/documents/schema";
import { deleteDocument } from "@/lib/library/documents/write/remove";
import { updateDocument } from "@/lib/library/documents/write/update";
import { session } from "@/lib/platform/auth/session-gate";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

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
