import { TextQuery } from "@/lib/library/documents/library-schema";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { readText } from "@/lib/library/documents/read/open";
import { IdParams } from "@/lib/library/documents/schema";
import { memberGet } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  params: IdParams,
  query: TextQuery,
  handle: async ({ ctx, params, query }) =>
    readText(await toReaderContext(ctx), { id: params.id, look: query }),
});
