import { BatchParams, VectorStoreFileBatch } from "@/lib/library/documents/store-schema";
import { cancelBatch } from "@/lib/library/documents/write/store-batches";
import { keyPost } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("kb:documents:write", {
  operationId: "cancelVectorStoreFileBatch",
  summary: "Cancel the indexing of a batch's files. Those that are searchable stay so.",
  params: BatchParams,
  answer: VectorStoreFileBatch,
  handle: ({ ctx, params }) => cancelBatch(ctx, params),
});
