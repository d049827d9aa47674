import { describeBatch, getBatch } from "@/lib/library/documents/read/store-batches";
import { BatchParams, VectorStoreFileBatch } from "@/lib/library/documents/store-schema";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getVectorStoreFileBatch",
  summary: "Get a batch, with how its files are doing.",
  gate: apiKey("kb:documents:read", "kb:search"),
  params: BatchParams,
  answer: VectorStoreFileBatch,
  handle: async ({ ctx, params }) => describeBatch(await getBatch(ctx, params)),
});
