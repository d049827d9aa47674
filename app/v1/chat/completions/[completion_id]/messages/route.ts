import { listStoredMessages } from "@/lib/answers/chat/read/stored";
import { CompletionParams, ListMessages, MessagePage } from "@/lib/answers/chat/stored-schema";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "listChatCompletionMessages",
  summary: "List the messages of a stored answer's request.",
  gate: apiKey("chat:completions"),
  params: CompletionParams,
  query: ListMessages,
  answer: MessagePage,
  handle: ({ ctx, params, query }) =>
    listStoredMessages(ctx, { ...query, id: params.completion_id }),
});
