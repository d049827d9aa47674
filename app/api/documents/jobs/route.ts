import { session } from "@/lib/auth/session-gate";
import { JobsQuery } from "@/lib/documents/library-schema";
import { toReaderContext } from "@/lib/documents/read/documents";
import { listJobs } from "@/lib/documents/read/jobs";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: session(),
  query: JobsQuery,
  handle: async ({ ctx, query }) => ({
    object: "list",
    data: await listJobs(await toReaderContext(ctx), query.ids),
  }),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
