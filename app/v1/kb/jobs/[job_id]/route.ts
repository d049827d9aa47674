import { isTerminal, waitForJob } from "@/lib/library/documents/read/jobs";
import { Job, JobParams, JobQuery } from "@/lib/library/documents/schema";
import { keyGet } from "@/lib/platform/auth/key-route";
import { Reply } from "@/lib/platform/http/route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("kb:documents:read", {
  operationId: "getJob",
  summary: "Get a processing job's status; `wait` long-polls until it ends.",
  params: JobParams,
  query: JobQuery,
  answer: Job,
  handle: async ({ ctx, params, query }) => {
    const job = await waitForJob(ctx, { id: params.job_id, waitSeconds: query.wait });
    return new Reply(job, isTerminal(job.status) ? {} : { "retry-after": "1" });
  },
});
