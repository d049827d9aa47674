import { IdParams } from "@/lib/library/documents/schema";
import { cancelUpload } from "@/lib/library/documents/write/uploads";
import { memberPost } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  params: IdParams,
  handle: ({ ctx, params }) => cancelUpload(ctx, params.id),
});
