import { toReaderContext } from "@/lib/library/documents/read/documents";
import { JobParams } from "@/lib/library/documents/schema";
import { cancelJob } from "@/lib/library/documents/write/cancel";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: JobParams,
  handle: async ({ ctx, params }) => cancelJob(await toReaderContext(ctx), params.job_id),
});
