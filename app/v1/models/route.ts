import { apiKey } from "@/lib/auth/api-key";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listKeyModels, ModelList } from "@/lib/models/catalogue";

export const GET = route({
  summary: "List the models the key can call.",
  gate: apiKey("chat:completions"),
  answer: ModelList,
  handle: async ({ ctx }) => listKeyModels(ctx),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
