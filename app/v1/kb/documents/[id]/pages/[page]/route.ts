import { PageParams, PageQuery } from "@/lib/library/documents/page-schema";
import { sendPage } from "@/lib/library/documents/send-page";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getDocumentPage",
  summary: "Get a page of a PDF as an image: the page's number and .png, such as 3.png.",
  gate: apiKey("kb:documents:read"),
  params: PageParams,
  query: PageQuery,
  answerType: "image/png",
  handle: ({ ctx, params, query }) => sendPage(ctx, params, query),
});
