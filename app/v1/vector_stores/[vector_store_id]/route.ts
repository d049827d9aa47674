import { describeStore, getStore } from "@/lib/library/documents/read/stores";
import {
  DeletedVectorStore,
  StoreParams,
  UpdateVectorStore,
  VectorStore,
} from "@/lib/library/documents/store-schema";
import { deleteStore, updateStore } from "@/lib/library/documents/write/stores";
import { apiKey } from "@/lib/platform/auth/api-key";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({
  operationId: "getVectorStore",
  summary: "Get a vector store, with how its files are doing.",
  gate: apiKey("kb:documents:read", "kb:search"),
  params: StoreParams,
  answer: VectorStore,
  handle: async ({ ctx, params }) => describeStore(await getStore(ctx, params.vector_store_id)),
});

export const POST = route({
  operationId: "updateVectorStore",
  summary: "Change a vector store's name, metadata or expiry.",
  gate: apiKey("kb:documents:write"),
  params: StoreParams,
  body: UpdateVectorStore,
  answer: VectorStore,
  handle: ({ ctx, params, body }) => updateStore(ctx, params.vector_store_id, body),
});

export const DELETE = route({
  operationId: "deleteVectorStore",
  summary: "Delete a vector store. Its documents stay.",
  gate: apiKey("kb:documents:write"),
  params: StoreParams,
  answer: DeletedVectorStore,
  handle: ({ ctx, params }) => deleteStore(ctx, params.vector_store_id),
});

export const { PUT, PATCH } = methodNotAllowed({ GET, POST, DELETE });
