import { apiKey } from "@/lib/auth/api-key";
import { IdParams } from "@/lib/documents/schema";
import { Upload } from "@/lib/documents/upload-schema";
import { cancelUpload } from "@/lib/documents/write/uploads";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "cancelUpload",
  summary: "Cancel an upload and delete its parts.",
  gate: apiKey("kb:documents:write"),
  params: IdParams,
  answer: Upload,
  handle: ({ ctx, params }) => cancelUpload(ctx, params.id),
});
