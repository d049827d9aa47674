import { JobsQuery } from "@/lib/library/documents/library-schema";
import { toReaderContext } from "@/lib/library/documents/read/documents";
import { listJobs } from "@/lib/library/documents/read/jobs";
import { memberGet } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  query: JobsQuery,
  handle: async ({ ctx, query }) => ({
    object: "list",
    data: await listJobs(await toReaderContext(ctx), query.ids),
  }),
});
