import { listStores } from "@/lib/library/documents/read/stores";
import {
  CreateVectorStore,
  ListVectorStores,
  VectorStore,
  VectorStorePage,
} from "@/lib/library/documents/store-schema";
import { createStore } from "@/lib/library/documents/write/stores";
import { apiKey } from "@/lib/platform/auth/api-key";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({
  operationId: "listVectorStores",
  summary: "List the vector stores that the key can read: its knowledge bases, and your own.",
  gate: apiKey("kb:documents:read", "kb:search"),
  query: ListVectorStores,
  answer: VectorStorePage,
  handle: ({ ctx, query }) => listStores(ctx, query),
});

export const POST = route({
  operationId: "createVectorStore",
  summary: "Create a vector store: a named set of documents of a knowledge base.",
  gate: apiKey("kb:documents:write"),
  body: CreateVectorStore,
  answer: VectorStore,
  handle: ({ ctx, body }) => createStore(ctx, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
