import { session } from "@/lib/auth/session-gate";
import { toReaderContext } from "@/lib/documents/read/documents";
import { JobParams } from "@/lib/documents/schema";
import { cancelJob } from "@/lib/documents/write/end-job";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: session(),
  params: JobParams,
  handle: async ({ ctx, params }) => cancelJob(await toReaderContext(ctx), params.job_id),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
