import { JobsQuery } from "@/lib/library/documents/library-schema";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { listJobs } from "@/lib/library/documents/read/jobs";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  query: JobsQuery,
  handle: async ({ ctx, query }) => ({
    object: "list",
    data: await listJobs(await toReaderContext(ctx), query.ids),
  }),
});
