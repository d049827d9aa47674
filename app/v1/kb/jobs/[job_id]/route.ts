import { apiKey } from "@/lib/auth/api-key";
import { isTerminal, waitForJob } from "@/lib/documents/read";
import { JobParams, JobQuery } from "@/lib/documents/schema";
import { otherMethods } from "@/lib/http/methods";
import { Reply, route } from "@/lib/http/route";

export const GET = route({
  gate: apiKey("kb:documents:read"),
  params: JobParams,
  query: JobQuery,
  handle: async ({ ctx, params, query }) => {
    const job = await waitForJob(ctx, { id: params.job_id, waitSeconds: query.wait });
    return new Reply(job, { headers: isTerminal(job.status) ? {} : { "retry-after": "1" } });
  },
});

export const { POST, PUT, PATCH, DELETE } = otherMethods("GET");
