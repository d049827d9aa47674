import { listStored } from "@/lib/answers/chat/read/stored";
import { ChatCompletion, ChatCompletionChunk, ChatRequest } from "@/lib/answers/chat/schema";
import { CompletionPage, ListStored } from "@/lib/answers/chat/stored-schema";
import { createCompletion } from "@/lib/answers/chat/write/complete";
import { answerOnce } from "@/lib/answers/chat/write/idempotent";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { IdempotencyHeaders, readIdempotencyKey } from "@/lib/platform/http/request";

export const GET = keyRoute("chat:completions", {
  operationId: "listChatCompletions",
  summary: "List stored answers, oldest first.",
  query: ListStored,
  answer: CompletionPage,
  handle: ({ ctx, query }) => listStored(ctx, query),
});

export const POST = keyRoute("chat:completions", {
  operationId: "createChatCompletion",
  summary: "Create a chat completion, plain or streamed, optionally with cited retrieval.",
  headers: IdempotencyHeaders,
  body: ChatRequest,
  answer: ChatCompletion,
  events: ChatCompletionChunk,
  handle: ({ ctx, body, request }) =>
    answerOnce(
      ctx,
      { idempotencyKey: readIdempotencyKey(request), endpoint: "/v1/chat/completions", body },
      (each) => createCompletion(each, body),
    ),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
