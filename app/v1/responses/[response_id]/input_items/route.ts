import { apiKey } from "@/lib/auth/api-key";
import { onlyGet } from "@/lib/http/only-method";
import { ListInputItems, ResponseParams } from "@/lib/responses/query-schema";
import { listInputItems } from "@/lib/responses/read";
import { ItemPage } from "@/lib/responses/response-schema";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "listInputItems",
  summary: "List the turns that led to a stored response.",
  gate: apiKey("chat:completions"),
  params: ResponseParams,
  query: ListInputItems,
  answer: ItemPage,
  handle: ({ ctx, params, query }) => listInputItems(ctx, { ...query, id: params.response_id }),
});
