import { apiKey } from "@/lib/auth/api-key";
import { onlyPost } from "@/lib/http/only-method";
import { EmbeddingsRequest, EmbeddingsResult } from "@/lib/models/embeddings-schema";
import { createEmbeddings } from "@/lib/models/write/embeddings";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "createEmbeddings",
  summary: "Embed texts with the server's embedding model.",
  gate: apiKey("chat:completions"),
  body: EmbeddingsRequest,
  answer: EmbeddingsResult,
  handle: ({ ctx, body }) => createEmbeddings(ctx, body),
});
