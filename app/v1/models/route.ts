import { listUsableModels } from "@/lib/answers/presets/read";
import { ModelList } from "@/lib/models/catalogue";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("chat:completions", {
  operationId: "listModels",
  summary: "List the models the key can call, and the account's presets of them.",
  answer: ModelList,
  handle: ({ ctx }) => listUsableModels(ctx),
});
