import { readStoreFile } from "@/lib/library/documents/read/store-files";
import { getStore } from "@/lib/library/documents/read/stores";
import { StoreFileParams, VectorStoreFileContent } from "@/lib/library/documents/store-schema";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getVectorStoreFileContent",
  summary: "Read the text of a file, as it was indexed.",
  gate: apiKey("kb:documents:read", "kb:search"),
  params: StoreFileParams,
  answer: VectorStoreFileContent,
  handle: async ({ ctx, params }) =>
    readStoreFile(await getStore(ctx, params.vector_store_id), params.file_id),
});
