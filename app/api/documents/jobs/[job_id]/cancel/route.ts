import { toReaderContext } from "@/lib/library/documents/read/documents";
import { JobParams } from "@/lib/library/documents/schema";
import { cancelJob } from "@/lib/library/documents/write/cancel";
import { memberPost } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  params: JobParams,
  handle: async ({ ctx, params }) => cancelJob(await toReaderContext(ctx), params.job_id),
});
