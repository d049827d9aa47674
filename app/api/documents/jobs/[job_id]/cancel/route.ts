import { session } from "@/lib/auth/session-gate";
import { asReader } from "@/lib/documents/read/reader";
import { JobParams } from "@/lib/documents/schema";
import { cancelJob } from "@/lib/documents/write/cancel";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: session(),
  params: JobParams,
  handle: async ({ ctx, params }) => cancelJob(await asReader(ctx), params.job_id),
});

export const { GET, PUT, PATCH, DELETE } = otherMethods("POST");
