import { getUsableModel } from "@/lib/answers/presets/read";
import { ListedModel, ModelParams } from "@/lib/models/catalogue";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getModel",
  summary: "Get a model or preset the key can call.",
  gate: apiKey("chat:completions"),
  params: ModelParams,
  answer: ListedModel,
  handle: ({ ctx, params }) => getUsableModel(ctx, params.model),
});
