import { session } from "@/lib/auth/session-gate";
import { toReaderContext } from "@/lib/documents/read/documents";
import { JobParams } from "@/lib/documents/schema";
import { cancelJob } from "@/lib/documents/write/cancel";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: JobParams,
  handle: async ({ ctx, params }) => cancelJob(await toReaderContext(ctx), params.job_id),
});
