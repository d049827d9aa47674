import { getStoreFile } from "@/lib/library/documents/read/store-files";
import { getStore } from "@/lib/library/documents/read/stores";
import {
  RemovedStoreFile,
  StoreFileParams,
  UpdateStoreFile,
  VectorStoreFile,
} from "@/lib/library/documents/store-schema";
import { removeStoreFile, updateStoreFile } from "@/lib/library/documents/write/store-files";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = keyRoute(["kb:documents:read", "kb:search"], {
  operationId: "getVectorStoreFile",
  summary: "Get a file of a vector store, with how its indexing is doing.",
  params: StoreFileParams,
  answer: VectorStoreFile,
  handle: async ({ ctx, params }) =>
    getStoreFile(await getStore(ctx, params.vector_store_id), params.file_id),
});

export const POST = keyRoute("kb:documents:write", {
  operationId: "updateVectorStoreFile",
  summary: "Replace a file's attributes, which all of its stores share.",
  params: StoreFileParams,
  body: UpdateStoreFile,
  answer: VectorStoreFile,
  handle: ({ ctx, params, body }) => updateStoreFile(ctx, params, body),
});

export const DELETE = keyRoute("kb:documents:write", {
  operationId: "removeVectorStoreFile",
  summary: "Remove a file from a vector store. The file stays.",
  params: StoreFileParams,
  answer: RemovedStoreFile,
  handle: ({ ctx, params }) => removeStoreFile(ctx, params),
});

export const { PUT, PATCH } = methodNotAllowed({ GET, POST, DELETE });
