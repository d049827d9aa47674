import { EmbeddingsRequest, EmbeddingsResult } from "@/lib/models/embeddings-schema";
import { createEmbeddings } from "@/lib/models/write/embeddings";
import { keyPost } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("chat:completions", {
  operationId: "createEmbeddings",
  summary: "Embed texts with the server's embedding model.",
  body: EmbeddingsRequest,
  answer: EmbeddingsResult,
  handle: ({ ctx, body }) => createEmbeddings(ctx, body),
});
