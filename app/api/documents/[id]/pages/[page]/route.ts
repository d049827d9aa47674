import { session } from "@/lib/auth/session-gate";
import { PageParams, PageQuery } from "@/lib/documents/page-schema";
import { toReaderContext } from "@/lib/documents/read/documents";
import { sendPage } from "@/lib/documents/send-page";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  params: PageParams,
  query: PageQuery,
  handle: async ({ ctx, params, query }) => sendPage(await toReaderContext(ctx), params, query),
});
