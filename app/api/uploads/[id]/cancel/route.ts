import { IdParams } from "@/lib/library/documents/schema";
import { cancelUpload } from "@/lib/library/documents/write/uploads";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: IdParams,
  handle: ({ ctx, params }) => cancelUpload(ctx, params.id),
});
