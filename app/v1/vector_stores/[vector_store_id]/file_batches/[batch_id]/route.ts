import { describeBatch, getBatch } from "@/lib/library/documents/read/store-batches";
import { BatchParams, VectorStoreFileBatch } from "@/lib/library/documents/store-schema";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet(["kb:documents:read", "kb:search"], {
  operationId: "getVectorStoreFileBatch",
  summary: "Get a batch, with how its files are doing.",
  params: BatchParams,
  answer: VectorStoreFileBatch,
  handle: async ({ ctx, params }) => describeBatch(await getBatch(ctx, params)),
});
