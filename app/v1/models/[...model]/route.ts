import { apiKey } from "@/lib/auth/api-key";
import { onlyGet } from "@/lib/http/only-method";
import { ListedModel, ModelParams } from "@/lib/models/catalogue";
import { getUsableModel } from "@/lib/presets/read";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getModel",
  summary: "Get a model or preset the key can call.",
  gate: apiKey("chat:completions"),
  params: ModelParams,
  answer: ListedModel,
  handle: ({ ctx, params }) => getUsableModel(ctx, params.model),
});
