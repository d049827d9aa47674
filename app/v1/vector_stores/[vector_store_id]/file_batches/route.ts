import {
  CreateFileBatch,
  StoreParams,
  VectorStoreFileBatch,
} from "@/lib/library/documents/store-schema";
import { createBatch } from "@/lib/library/documents/write/store-batches";
import { keyPost } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("kb:documents:write", {
  operationId: "createVectorStoreFileBatch",
  summary: "Add several files to a vector store.",
  params: StoreParams,
  body: CreateFileBatch,
  answer: VectorStoreFileBatch,
  handle: ({ ctx, params, body }) => createBatch(ctx, params.vector_store_id, body),
});
