import { toReaderContext } from "@/lib/library/documents/read/documents";
import { IdParams, UpdateDocument } from "@/lib/library/documents/schema";
import { deleteDocument } from "@/lib/library/documents/write/remove";
import { updateDocument } from "@/lib/library/documents/write/update";
import { memberRoute } from "@/lib/platform/auth/member-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const PATCH = memberRoute({
  params: IdParams,
  body: UpdateDocument,
  handle: async ({ ctx, params, body }) =>
    updateDocument(await toReaderContext(ctx), params.id, body),
});

export const DELETE = memberRoute({
  params: IdParams,
  handle: async ({ ctx, params }) => deleteDocument(await toReaderContext(ctx), params.id),
});

export const { GET, POST, PUT } = methodNotAllowed({ PATCH, DELETE });
