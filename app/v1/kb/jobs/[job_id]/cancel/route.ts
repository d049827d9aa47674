import { Job, JobParams } from "@/lib/library/documents/schema";
import { cancelJob } from "@/lib/library/documents/write/cancel";
import { keyPost } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("kb:documents:write", {
  operationId: "cancelJob",
  summary:
    "Cancel a queued or running processing job; only pages already recognized or embedded are charged.",
  params: JobParams,
  answer: Job,
  handle: ({ ctx, params }) => cancelJob(ctx, params.job_id),
});
