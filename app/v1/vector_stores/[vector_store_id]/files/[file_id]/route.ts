import { getStoreFile } from "@/lib/library/documents/read/store-files";
import { getStore } from "@/lib/library/documents/read/stores";
import {
  RemovedStoreFile,
  StoreFileParams,
  UpdateStoreFile,
  VectorStoreFile,
} from "@/lib/library/documents/store-schema";
import { removeStoreFile, updateStoreFile } from "@/lib/library/documents/write/store-files";
import { apiKey } from "@/lib/platform/auth/api-key";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({
  operationId: "getVectorStoreFile",
  summary: "Get a file of a vector store, with how its indexing is doing.",
  gate: apiKey("kb:documents:read", "kb:search"),
  params: StoreFileParams,
  answer: VectorStoreFile,
  handle: async ({ ctx, params }) =>
    getStoreFile(await getStore(ctx, params.vector_store_id), params.file_id),
});

export const POST = route({
  operationId: "updateVectorStoreFile",
  summary: "Replace a file's attributes, which all of its stores share.",
  gate: apiKey("kb:documents:write"),
  params: StoreFileParams,
  body: UpdateStoreFile,
  answer: VectorStoreFile,
  handle: ({ ctx, params, body }) => updateStoreFile(ctx, params, body),
});

export const DELETE = route({
  operationId: "removeVectorStoreFile",
  summary: "Remove a file from a vector store. The file stays.",
  gate: apiKey("kb:documents:write"),
  params: StoreFileParams,
  answer: RemovedStoreFile,
  handle: ({ ctx, params }) => removeStoreFile(ctx, params),
});

export const { PUT, PATCH } = methodNotAllowed({ GET, POST, DELETE });
