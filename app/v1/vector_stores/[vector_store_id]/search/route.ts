import { StoreParams } from "@/lib/library/documents/store-schema";
import {
  SearchVectorStore,
  VectorStoreSearchPage,
} from "@/lib/library/retrieval/store-search-schema";
import { searchStore } from "@/lib/library/retrieval/write";
import { keyPost } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost(["kb:search", "kb:documents:read"], {
  operationId: "searchVectorStore",
  summary: "Search the files of a vector store.",
  params: StoreParams,
  body: SearchVectorStore,
  answer: VectorStoreSearchPage,
  handle: ({ ctx, params, body }) => searchStore(ctx, params.vector_store_id, body),
});
