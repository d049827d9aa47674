import { IdParams } from "@/lib/library/documents/schema";
import { Upload } from "@/lib/library/documents/upload-schema";
import { cancelUpload } from "@/lib/library/documents/write/uploads";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "cancelUpload",
  summary: "Cancel an upload and delete its parts.",
  gate: apiKey("kb:documents:write"),
  params: IdParams,
  answer: Upload,
  handle: ({ ctx, params }) => cancelUpload(ctx, params.id),
});
