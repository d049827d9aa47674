import { session } from "@/lib/auth/session-gate";
import { IdParams } from "@/lib/documents/schema";
import { cancelUpload } from "@/lib/documents/write/uploads";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: IdParams,
  handle: ({ ctx, params }) => cancelUpload(ctx, params.id),
});
