import { BatchParams, VectorStoreFileBatch } from "@/lib/library/documents/store-schema";
import { cancelBatch } from "@/lib/library/documents/write/store-batches";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "cancelVectorStoreFileBatch",
  summary: "Cancel the indexing of a batch's files. Those that are searchable stay so.",
  gate: apiKey("kb:documents:write"),
  params: BatchParams,
  answer: VectorStoreFileBatch,
  handle: ({ ctx, params }) => cancelBatch(ctx, params),
});
