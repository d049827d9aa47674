import { getUpload } from "@/lib/library/documents/read/uploads";
import { IdParams } from "@/lib/library/documents/schema";
import { Upload } from "@/lib/library/documents/upload-schema";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("kb:documents:write", {
  operationId: "getUpload",
  summary: "Get an upload, with the parts that have arrived.",
  params: IdParams,
  answer: Upload,
  handle: ({ ctx, params }) => getUpload(ctx, params.id),
});
