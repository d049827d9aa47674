import { apiKey } from "@/lib/auth/api-key";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { getKeyModel, ListedModel, ModelParams } from "@/lib/models/catalogue";

export const GET = route({
  summary: "Get a model the key can call.",
  gate: apiKey("chat:completions"),
  params: ModelParams,
  answer: ListedModel,
  handle: async ({ ctx, params }) => getKeyModel(ctx, params.model),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
