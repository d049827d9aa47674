import { listStores } from "@/lib/library/documents/read/stores";
import {
  CreateVectorStore,
  ListVectorStores,
  VectorStore,
  VectorStorePage,
} from "@/lib/library/documents/store-schema";
import { createStore } from "@/lib/library/documents/write/stores";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = keyRoute(["kb:documents:read", "kb:search"], {
  operationId: "listVectorStores",
  summary: "List the vector stores that the key can read: its knowledge bases, and your own.",
  query: ListVectorStores,
  answer: VectorStorePage,
  handle: ({ ctx, query }) => listStores(ctx, query),
});

export const POST = keyRoute("kb:documents:write", {
  operationId: "createVectorStore",
  summary: "Create a vector store: a named set of documents of a knowledge base.",
  body: CreateVectorStore,
  answer: VectorStore,
  handle: ({ ctx, body }) => createStore(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
