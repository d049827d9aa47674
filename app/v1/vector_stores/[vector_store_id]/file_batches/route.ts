import {
  CreateFileBatch,
  StoreParams,
  VectorStoreFileBatch,
} from "@/lib/library/documents/store-schema";
import { createBatch } from "@/lib/library/documents/write/store-batches";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "createVectorStoreFileBatch",
  summary: "Add several files to a vector store.",
  gate: apiKey("kb:documents:write"),
  params: StoreParams,
  body: CreateFileBatch,
  answer: VectorStoreFileBatch,
  handle: ({ ctx, params, body }) => createBatch(ctx, params.vector_store_id, body),
});
