import { PageParams, PageQuery } from "@/lib/library/documents/page-schema";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { sendPage } from "@/lib/library/documents/send-page";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  params: PageParams,
  query: PageQuery,
  handle: async ({ ctx, params, query }) => sendPage(await toReaderContext(ctx), params, query),
});
