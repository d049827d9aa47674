import { PageParams, PageQuery } from "@/lib/library/documents/page-schema";
import { sendPage } from "@/lib/library/documents/send-page";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("kb:documents:read", {
  operationId: "getDocumentPage",
  summary: "Get a page of a PDF as an image: the page's number and .png, such as 3.png.",
  params: PageParams,
  query: PageQuery,
  answerType: "image/png",
  handle: ({ ctx, params, query }) => sendPage(ctx, params, query),
});
