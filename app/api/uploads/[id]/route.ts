import { session } from "@/lib/auth/session-gate";
import { getUpload } from "@/lib/documents/read/uploads";
import { IdParams } from "@/lib/documents/schema";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  params: IdParams,
  handle: ({ ctx, params }) => getUpload(ctx, params.id),
});
