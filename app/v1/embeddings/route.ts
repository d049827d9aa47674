import { EmbeddingsRequest, EmbeddingsResult } from "@/lib/models/embeddings-schema";
import { createEmbeddings } from "@/lib/models/write/embeddings";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "createEmbeddings",
  summary: "Embed texts with the server's embedding model.",
  gate: apiKey("chat:completions"),
  body: EmbeddingsRequest,
  answer: EmbeddingsResult,
  handle: ({ ctx, body }) => createEmbeddings(ctx, body),
});
