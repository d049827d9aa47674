import { IdParams } from "@/lib/library/documents/schema";
import { Upload } from "@/lib/library/documents/upload-schema";
import { cancelUpload } from "@/lib/library/documents/write/uploads";
import { keyPost } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("kb:documents:write", {
  operationId: "cancelUpload",
  summary: "Cancel an upload and delete its parts.",
  params: IdParams,
  answer: Upload,
  handle: ({ ctx, params }) => cancelUpload(ctx, params.id),
});
