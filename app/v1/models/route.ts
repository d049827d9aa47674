import { apiKey } from "@/lib/auth/api-key";
import { onlyGet } from "@/lib/http/only-method";
import { ModelList } from "@/lib/models/catalogue";
import { listUsableModels } from "@/lib/presets/read";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "listModels",
  summary: "List the models the key can call, and the account's presets of them.",
  gate: apiKey("chat:completions"),
  answer: ModelList,
  handle: ({ ctx }) => listUsableModels(ctx),
});
