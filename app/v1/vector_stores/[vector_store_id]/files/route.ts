import { listStoreFiles } from "@/lib/library/documents/read/store-files";
import { getStore } from "@/lib/library/documents/read/stores";
import {
  AddStoreFile,
  ListStoreFiles,
  StoreParams,
  VectorStoreFile,
  VectorStoreFilePage,
} from "@/lib/library/documents/store-schema";
import { addStoreFile } from "@/lib/library/documents/write/store-files";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = keyRoute(["kb:documents:read", "kb:search"], {
  operationId: "listVectorStoreFiles",
  summary: "List the files of a vector store.",
  params: StoreParams,
  query: ListStoreFiles,
  answer: VectorStoreFilePage,
  handle: async ({ ctx, params, query }) =>
    listStoreFiles(await getStore(ctx, params.vector_store_id), query),
});

export const POST = keyRoute("kb:documents:write", {
  operationId: "addVectorStoreFile",
  summary: "Add a file to a vector store, and index it unless it is searchable.",
  params: StoreParams,
  body: AddStoreFile,
  answer: VectorStoreFile,
  handle: ({ ctx, params, body }) => addStoreFile(ctx, params.vector_store_id, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
