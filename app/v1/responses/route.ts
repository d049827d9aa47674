import { apiKey } from "@/lib/auth/api-key";
import { answerOnce } from "@/lib/chat/write/idempotent";
import { onlyPost } from "@/lib/http/only-method";
import { IdempotencyHeaders, readIdempotencyKey } from "@/lib/http/request";
import { ResponseEvent } from "@/lib/responses/events";
import { ResponseObject } from "@/lib/responses/response-schema";
import { ResponsesRequest } from "@/lib/responses/schema";
import { createResponse } from "@/lib/responses/write/create";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "createResponse",
  summary: "Create a response, plain or streamed, with file_search as cited retrieval.",
  gate: apiKey("chat:completions"),
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
