import { COPIES_STAY } from "@/lib/answers/chat/stored-schema";
import { GetResponse, ResponseParams } from "@/lib/answers/responses/query-schema";
import { getResponse } from "@/lib/answers/responses/read";
import { DeletedResponse, ResponseObject } from "@/lib/answers/responses/response-schema";
import { deleteResponse } from "@/lib/answers/responses/write/delete";
import { keyRoute } from "@/lib/platform/auth/key-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = keyRoute("chat:completions", {
  operationId: "getResponse",
  summary: "Get a stored response.",
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

export const DELETE = keyRoute("chat:completions", {
  operationId: "deleteResponse",
  summary: `Delete a stored response with its turns and evidence. ${COPIES_STAY}`,
  params: ResponseParams,
  answer: DeletedResponse,
  handle: ({ ctx, params }) => deleteResponse(ctx, params.response_id),
});

export const { POST, PUT, PATCH } = methodNotAllowed({ GET, DELETE });
