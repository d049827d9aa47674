import { ResponseParams } from "@/lib/answers/responses/query-schema";
import { ResponseObject } from "@/lib/answers/responses/response-schema";
import { invalidRequest } from "@/lib/errors";
import { keyPost } from "@/lib/platform/auth/key-route";

/** The same answer for every id, so that it says nothing about which exist. */
export const { GET, POST, PUT, PATCH, DELETE } = keyPost("chat:completions", {
  operationId: "cancelResponse",
  summary: "Always refused: responses don't run in the background.",
  params: ResponseParams,
  answer: ResponseObject,
  handle: async () => {
    throw invalidRequest(
      "Responses don't run in the background, so none can be canceled. To stop one, close its connection.",
      "response_id",
    );
  },
});
