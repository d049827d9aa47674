import { apiKey } from "@/lib/auth/api-key";
import { getKeyModel, ModelParams } from "@/lib/chat/models";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: apiKey("chat:completions"),
  params: ModelParams,
  handle: async ({ ctx, params }) => getKeyModel(ctx, params.model),
});

export const { POST, PUT, PATCH, DELETE } = otherMethods("GET");
