import { Job, JobParams } from "@/lib/library/documents/schema";
import { cancelJob } from "@/lib/library/documents/write/cancel";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "cancelJob",
  summary:
    "Cancel a queued or running processing job; only pages already recognized or embedded are charged.",
  gate: apiKey("kb:documents:write"),
  params: JobParams,
  answer: Job,
  handle: ({ ctx, params }) => cancelJob(ctx, params.job_id),
});
