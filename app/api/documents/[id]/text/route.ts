import { session } from "@/lib/auth/session-gate";
import { TextQuery } from "@/lib/documents/library-schema";
import { toReaderContext } from "@/lib/documents/read/documents";
import { readText } from "@/lib/documents/read/open";
import { IdParams } from "@/lib/documents/schema";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  params: IdParams,
  query: TextQuery,
  handle: async ({ ctx, params, query }) =>
    readText(await toReaderContext(ctx), { id: params.id, look: query }),
});
