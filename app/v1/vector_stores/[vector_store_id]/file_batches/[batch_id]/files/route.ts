import { listBatchFiles } from "@/lib/library/documents/read/store-batches";
import {
  BatchParams,
  ListStoreFiles,
  VectorStoreFilePage,
} from "@/lib/library/documents/store-schema";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet(["kb:documents:read", "kb:search"], {
  operationId: "listVectorStoreBatchFiles",
  summary: "List the files of a batch.",
  params: BatchParams,
  query: ListStoreFiles,
  answer: VectorStoreFilePage,
  handle: ({ ctx, params, query }) => listBatchFiles(ctx, params, query),
});
