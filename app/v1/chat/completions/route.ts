import { apiKey } from "@/lib/auth/api-key";
import { listStored } from "@/lib/chat/read/stored";
import { ChatCompletion, ChatCompletionChunk, ChatRequest } from "@/lib/chat/schema";
import { CompletionPage, ListStored } from "@/lib/chat/stored-schema";
import { createCompletion } from "@/lib/chat/write/complete";
import { answerOnce } from "@/lib/chat/write/idempotent";
import { methodNotAllowed } from "@/lib/http/methods";
import { IdempotencyHeaders, readIdempotencyKey } from "@/lib/http/request";
import { route } from "@/lib/http/route";

export const GET = route({
  operationId: "listChatCompletions",
  summary: "List stored answers, oldest first.",
  gate: apiKey("chat:completions"),
  query: ListStored,
  answer: CompletionPage,
  handle: ({ ctx, query }) => listStored(ctx, query),
});

export const POST = route({
  operationId: "createChatCompletion",
  summary: "Create a chat completion, plain or streamed, optionally with cited retrieval.",
  gate: apiKey("chat:completions"),
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
