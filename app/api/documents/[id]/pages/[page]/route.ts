import { PageParams, PageQuery } from "@/lib/library/documents/page-schema";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { sendPage } from "@/lib/library/documents/send-page";
import { memberGet } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  params: PageParams,
  query: PageQuery,
  handle: async ({ ctx, params, query }) => sendPage(await toReaderContext(ctx), params, query),
});
