import { apiKey } from "@/lib/auth/api-key";
import { PageParams, PageQuery } from "@/lib/documents/page-schema";
import { sendPage } from "@/lib/documents/send-page";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getDocumentPage",
  summary: "Get a page of a PDF as an image: the page's number and .png, such as 3.png.",
  gate: apiKey("kb:documents:read"),
  params: PageParams,
  query: PageQuery,
  answerType: "image/png",
  handle: ({ ctx, params, query }) => sendPage(ctx, params, query),
});
