import { ListInputItems, ResponseParams } from "@/lib/answers/responses/query-schema";
import { listInputItems } from "@/lib/answers/responses/read";
import { ItemPage } from "@/lib/answers/responses/response-schema";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "listInputItems",
  summary: "List the turns that led to a stored response.",
  gate: apiKey("chat:completions"),
  params: ResponseParams,
  query: ListInputItems,
  answer: ItemPage,
  handle: ({ ctx, params, query }) => listInputItems(ctx, { ...query, id: params.response_id }),
});
