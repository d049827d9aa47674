import { apiKey } from "@/lib/auth/api-key";
import { onlyPost } from "@/lib/http/only-method";
import { ResponseEvent } from "@/lib/responses/events";
import { ResponseObject } from "@/lib/responses/response-schema";
import { ResponsesRequest } from "@/lib/responses/schema";
import { createResponse } from "@/lib/responses/write/create";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "createResponse",
  summary: "Create a response, plain or streamed, with file_search as cited retrieval.",
  gate: apiKey("chat:completions", { isConfirmedByHold: true }),
  body: ResponsesRequest,
  answer: ResponseObject,
  events: ResponseEvent,
  handle: ({ ctx, body }) => createResponse(ctx, body),
});
