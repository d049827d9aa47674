import { listBatchFiles } from "@/lib/library/documents/read/store-batches";
import {
  BatchParams,
  ListStoreFiles,
  VectorStoreFilePage,
} from "@/lib/library/documents/store-schema";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "listVectorStoreBatchFiles",
  summary: "List the files of a batch.",
  gate: apiKey("kb:documents:read", "kb:search"),
  params: BatchParams,
  query: ListStoreFiles,
  answer: VectorStoreFilePage,
  handle: ({ ctx, params, query }) => listBatchFiles(ctx, params, query),
});
