import { getUpload } from "@/lib/library/documents/read/uploads";
import { IdParams } from "@/lib/library/documents/schema";
import { memberGet } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  params: IdParams,
  handle: ({ ctx, params }) => getUpload(ctx, params.id),
});
