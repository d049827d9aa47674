import { session } from "@/lib/auth/session-gate";
import { JobsQuery } from "@/lib/documents/library-schema";
import { toReaderContext } from "@/lib/documents/read/documents";
import { listJobs } from "@/lib/documents/read/jobs";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  query: JobsQuery,
  handle: async ({ ctx, query }) => ({
    object: "list",
    data: await listJobs(await toReaderContext(ctx), query.ids),
  }),
});
