import { toReaderContext } from "@/lib/library/documents/read/documents";
import { IdParams } from "@/lib/library/documents/schema";
import { UpdateVectorStore } from "@/lib/library/documents/store-schema";
import { deleteStore, updateStore } from "@/lib/library/documents/write/stores";
import { session } from "@/lib/platform/auth/session-gate";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const PATCH = route({
  gate: session(),
  params: IdParams,
  body: UpdateVectorStore,
  handle: async ({ ctx, params, body }) => updateStore(await toReaderContext(ctx), params.id, body),
});

export const DELETE = route({
  gate: session(),
  params: IdParams,
  handle: async ({ ctx, params }) => deleteStore(await toReaderContext(ctx), params.id),
});

export const { GET, POST, PUT } = methodNotAllowed({ PATCH, DELETE });
