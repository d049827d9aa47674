import { getUpload } from "@/lib/library/documents/read/uploads";
import { IdParams } from "@/lib/library/documents/schema";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  params: IdParams,
  handle: ({ ctx, params }) => getUpload(ctx, params.id),
});
