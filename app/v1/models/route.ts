import { apiKey } from "@/lib/auth/api-key";
import { onlyGet } from "@/lib/http/only-method";
import { listKeyModels, ModelList } from "@/lib/models/catalogue";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  summary: "List the models the key can call.",
  gate: apiKey("chat:completions"),
  answer: ModelList,
  handle: async ({ ctx }) => listKeyModels(ctx),
});
