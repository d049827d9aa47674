import { apiKey } from "@/lib/auth/api-key";
import { listStoredMessages } from "@/lib/chat/read";
import { CompletionParams, ListMessages, MessagePage } from "@/lib/chat/stored-schema";
import { methodNotAllowed } from "@/lib/http/methods";
import { rejectDuplicateParams } from "@/lib/http/request";
import { route } from "@/lib/http/route";

export const GET = route({
  summary: "List the messages of a stored answer's request.",
  gate: apiKey("chat:completions"),
  params: CompletionParams,
  query: ListMessages,
  answer: MessagePage,
  handle: ({ ctx, params, query, request }) => {
    rejectDuplicateParams(request);
    return listStoredMessages(ctx, { ...query, id: params.completion_id });
  },
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
