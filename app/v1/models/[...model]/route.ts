import { apiKey } from "@/lib/auth/api-key";
import { onlyGet } from "@/lib/http/only-method";
import { getKeyModel, ListedModel, ModelParams } from "@/lib/models/catalogue";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  summary: "Get a model the key can call.",
  gate: apiKey("chat:completions"),
  params: ModelParams,
  answer: ListedModel,
  handle: async ({ ctx, params }) => getKeyModel(ctx, params.model),
});
