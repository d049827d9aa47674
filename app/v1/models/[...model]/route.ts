import { getUsableModel } from "@/lib/answers/presets/read";
import { ListedModel, ModelParams } from "@/lib/models/catalogue";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("chat:completions", {
  operationId: "getModel",
  summary: "Get a model or preset the key can call.",
  params: ModelParams,
  answer: ListedModel,
  handle: ({ ctx, params }) => getUsableModel(ctx, params.model),
});
