import { toReaderContext } from "@/lib/library/documents/read/documents";
import { IdParams } from "@/lib/library/documents/schema";
import { UpdateVectorStore } from "@/lib/library/documents/store-schema";
import { deleteStore, updateStore } from "@/lib/library/documents/write/stores";
import { memberRoute } from "@/lib/platform/auth/member-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const PATCH = memberRoute({
  params: IdParams,
  body: UpdateVectorStore,
  handle: async ({ ctx, params, body }) => updateStore(await toReaderContext(ctx), params.id, body),
});

export const DELETE = memberRoute({
  params: IdParams,
  handle: async ({ ctx, params }) => deleteStore(await toReaderContext(ctx), params.id),
});

export const { GET, POST, PUT } = methodNotAllowed({ PATCH, DELETE });
