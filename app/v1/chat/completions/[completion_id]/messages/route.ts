import { apiKey } from "@/lib/auth/api-key";
import { listStoredMessages } from "@/lib/chat/read/stored";
import { CompletionParams, ListMessages, MessagePage } from "@/lib/chat/stored-schema";
import { onlyGet } from "@/lib/http/only-method";

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
