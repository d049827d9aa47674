import { apiKey } from "@/lib/auth/api-key";
import { onlyGet } from "@/lib/http/only-method";
import { listInputItems } from "@/lib/responses/read";
import { ItemPage } from "@/lib/responses/response-schema";
import { ListInputItems, ResponseParams } from "@/lib/responses/schema";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  summary: "List the turns that led to a stored response.",
  gate: apiKey("chat:completions"),
  params: ResponseParams,
  query: ListInputItems,
  answer: ItemPage,
  handle: ({ ctx, params, query }) => listInputItems(ctx, { ...query, id: params.response_id }),
});
