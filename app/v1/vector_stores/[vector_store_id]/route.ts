import { describeStore, getStore } from "@/lib/library/documents/read/stores";
import {
  DeletedVectorStore,
  StoreParams,
  UpdateVectorStore,
  VectorStore,
} from "@/lib/library/documents/store-schema";
import { deleteStore, updateStore } from "@/lib/library/documents/write/stores";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = keyRoute(["kb:documents:read", "kb:search"], {
  operationId: "getVectorStore",
  summary: "Get a vector store, with how its files are doing.",
  params: StoreParams,
  answer: VectorStore,
  handle: async ({ ctx, params }) => describeStore(await getStore(ctx, params.vector_store_id)),
});

export const POST = keyRoute("kb:documents:write", {
  operationId: "updateVectorStore",
  summary: "Change a vector store's name, metadata or expiry.",
  params: StoreParams,
  body: UpdateVectorStore,
  answer: VectorStore,
  handle: ({ ctx, params, body }) => updateStore(ctx, params.vector_store_id, body),
});

export const DELETE = keyRoute("kb:documents:write", {
  operationId: "deleteVectorStore",
  summary: "Delete a vector store. Its documents stay.",
  params: StoreParams,
  answer: DeletedVectorStore,
  handle: ({ ctx, params }) => deleteStore(ctx, params.vector_store_id),
});

export const { PUT, PATCH } = methodNotAllowed({ GET, POST, DELETE });
