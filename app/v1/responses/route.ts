import { answerOnce } from "@/lib/answers/chat/write/idempotent";
import { ResponseEvent } from "@/lib/answers/responses/events";
import { ResponseObject } from "@/lib/answers/responses/response-schema";
import { ResponsesRequest } from "@/lib/answers/responses/schema";
import { createResponse } from "@/lib/answers/responses/write/create";
import { keyPost } from "@/lib/platform/auth/key-route";
import { IdempotencyHeaders, readIdempotencyKey } from "@/lib/platform/http/request";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("chat:completions", {
  operationId: "createResponse",
  summary: "Create a response, plain or streamed, with file_search as cited retrieval.",
  headers: IdempotencyHeaders,
  body: ResponsesRequest,
  answer: ResponseObject,
  events: ResponseEvent,
  handle: ({ ctx, body, request }) =>
    answerOnce(
      ctx,
      { idempotencyKey: readIdempotencyKey(request), endpoint: "/v1/responses", body },
      (each) => createResponse(each, body),
    ),
});
