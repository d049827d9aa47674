import { readEmbeddingSettings, replaceForwardingEmbedder } from "@/lib/models/embedding";
import { EnvSchema } from "@/lib/platform/env";
import { upstream } from "./fake-upstream";

/** Gives `POST /v1/embeddings` a model of the fake upstream; searches stay without one. */
export function embedWithFake(variables: Record<string, string> = {}): void {
  const set = { EMBEDDING_MODEL: "scripted", EMBEDDING_BASE_URL: upstream().url, ...variables };
  replaceForwardingEmbedder(readEmbeddingSettings(EnvSchema.parse(set)));
}
