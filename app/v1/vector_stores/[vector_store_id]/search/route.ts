import { StoreParams } from "@/lib/library/documents/store-schema";
import {
  SearchVectorStore,
  VectorStoreSearchPage,
} from "@/lib/library/retrieval/store-search-schema";
import { searchStore } from "@/lib/library/retrieval/write";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "searchVectorStore",
  summary: "Search the files of a vector store.",
  gate: apiKey("kb:search", "kb:documents:read"),
  params: StoreParams,
  body: SearchVectorStore,
  answer: VectorStoreSearchPage,
  handle: ({ ctx, params, body }) => searchStore(ctx, params.vector_store_id, body),
});
