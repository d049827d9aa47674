import { admitCompletion } from "@/lib/library/documents/read-part";
import { IdParams } from "@/lib/library/documents/schema";
import { CompleteUpload, Upload } from "@/lib/library/documents/upload-schema";
import { completeUpload } from "@/lib/library/documents/write/uploads";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "completeUpload",
  summary: "Make an upload's parts one document, which is then processed.",
  gate: apiKey("kb:documents:write"),
  params: IdParams,
  admit: admitCompletion,
  body: CompleteUpload,
  answer: Upload,
  handle: ({ ctx, params, body }) => completeUpload({ ctx, key: ctx, id: params.id }, body),
});
