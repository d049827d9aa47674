import { apiKey } from "@/lib/auth/api-key";
import { Job, JobParams } from "@/lib/documents/schema";
import { cancelJob } from "@/lib/documents/write/end-job";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  summary: "Cancel a queued or running processing job; nothing is charged.",
  gate: apiKey("kb:documents:write"),
  params: JobParams,
  answer: Job,
  handle: ({ ctx, params }) => cancelJob(ctx, params.job_id),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
