import { readStoreFile } from "@/lib/library/documents/read/store-files";
import { getStore } from "@/lib/library/documents/read/stores";
import { StoreFileParams, VectorStoreFileContent } from "@/lib/library/documents/store-schema";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet(["kb:documents:read", "kb:search"], {
  operationId: "getVectorStoreFileContent",
  summary: "Read the text of a file, as it was indexed.",
  params: StoreFileParams,
  answer: VectorStoreFileContent,
  handle: async ({ ctx, params }) =>
    readStoreFile(await getStore(ctx, params.vector_store_id), params.file_id),
});
