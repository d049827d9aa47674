import type { Key } from "@/lib/money/keys/schema";
import { ALL_MODELS } from "@/lib/platform/auth/schema";

const QUESTION = "What is the first-line treatment of anaphylaxis?";

interface SampleCall {
  key: Pick<Key, "scopes" | "knowledge_scopes" | "models">;
  secret: string;
  origin: string;
  defaultModel: string;
}

/** A model that the key may call. */
export function sampleModel({ models }: Pick<Key, "models">, defaultModel: string): string {
  const [model = ALL_MODELS] = models ?? [];
  return model === ALL_MODELS ? defaultModel : model;
}

/** A curl command that works with this key; null if its scopes allow no simple call. */
export function sampleCall({ key, secret, origin, defaultModel }: SampleCall): string | null {
  const head = (path: string) =>
    `curl ${origin}/v1/${path} \\\n  -H "Authorization: Bearer ${secret}"`;
  const post = (path: string, body: unknown) =>
    `${head(path)} \\\n  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(body)}'`;
  const hasKnowledge = key.knowledge_scopes.length > 0;

  if (key.scopes.includes("chat:completions")) {
    return post("chat/completions", {
      model: sampleModel(key, defaultModel),
      messages: [{ role: "user", content: QUESTION }],
      ...(hasKnowledge && { citations: { enabled: true, required: true } }),
    });
  }
  if (key.scopes.includes("kb:search") && hasKnowledge) {
    return post("kb/search", { query: QUESTION });
  }
  if (key.scopes.includes("kb:documents:read")) {
    return head("kb/documents");
  }
  return key.scopes.includes("billing:read") ? head("billing/credits") : null;
}
