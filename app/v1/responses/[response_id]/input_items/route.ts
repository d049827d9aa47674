import { ListInputItems, ResponseParams } from "@/lib/answers/responses/query-schema";
import { listInputItems } from "@/lib/answers/responses/read";
import { ItemPage } from "@/lib/answers/responses/response-schema";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("chat:completions", {
  operationId: "listInputItems",
  summary: "List the turns that led to a stored response.",
  params: ResponseParams,
  query: ListInputItems,
  answer: ItemPage,
  handle: ({ ctx, params, query }) => listInputItems(ctx, { ...query, id: params.response_id }),
});
