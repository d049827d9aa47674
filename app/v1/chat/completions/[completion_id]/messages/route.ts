import { listStoredMessages } from "@/lib/answers/chat/read/stored";
import { CompletionParams, ListMessages, MessagePage } from "@/lib/answers/chat/stored-schema";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("chat:completions", {
  operationId: "listChatCompletionMessages",
  summary: "List the messages of a stored answer's request.",
  params: CompletionParams,
  query: ListMessages,
  answer: MessagePage,
  handle: ({ ctx, params, query }) =>
    listStoredMessages(ctx, { ...query, id: params.completion_id }),
});
