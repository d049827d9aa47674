import { COPIES_STAY } from "@/lib/answers/chat/stored-schema";
import { GetResponse, ResponseParams } from "@/lib/answers/responses/query-schema";
import { getResponse } from "@/lib/answers/responses/read";
import { DeletedResponse, ResponseObject } from "@/lib/answers/responses/response-schema";
import { deleteResponse } from "@/lib/answers/responses/write/delete";
import { apiKey } from "@/lib/platform/auth/api-key";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

export const GET = route({
  operationId: "getResponse",
  summary: "Get a stored response.",
  gate: apiKey("chat:completions"),
  params: ResponseParams,
  query: GetResponse,
  answer: ResponseObject,
  handle: ({ ctx, params, query }) =>
    getResponse(ctx, {
      id: params.response_id,
      includesResults: [query["include[]"], query.include]
        .flat()
        .includes("file_search_call.results"),
    }),
});

export const DELETE = route({
  operationId: "deleteResponse",
  summary: `Delete a stored response with its turns and evidence. ${COPIES_STAY}`,
  gate: apiKey("chat:completions"),
  params: ResponseParams,
  answer: DeletedResponse,
  handle: ({ ctx, params }) => deleteResponse(ctx, params.response_id),
});

export const { POST, PUT, PATCH } = methodNotAllowed({ GET, DELETE });
