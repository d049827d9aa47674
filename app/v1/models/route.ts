import { listUsableModels } from "@/lib/answers/presets/read";
import { ModelList } from "@/lib/models/catalogue";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "listModels",
  summary: "List the models the key can call, and the account's presets of them.",
  gate: apiKey("chat:completions"),
  answer: ModelList,
  handle: ({ ctx }) => listUsableModels(ctx),
});
