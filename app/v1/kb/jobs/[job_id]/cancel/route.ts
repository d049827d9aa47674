import { apiKey } from "@/lib/auth/api-key";
import { Job, JobParams } from "@/lib/documents/schema";
import { cancelJob } from "@/lib/documents/write/cancel";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "cancelJob",
  summary:
    "Cancel a queued or running processing job; only pages already recognized or embedded are charged.",
  gate: apiKey("kb:documents:write"),
  params: JobParams,
  answer: Job,
  handle: ({ ctx, params }) => cancelJob(ctx, params.job_id),
});
