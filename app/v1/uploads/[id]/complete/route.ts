import { apiKey } from "@/lib/auth/api-key";
import { admitCompletion } from "@/lib/documents/read-part";
import { IdParams } from "@/lib/documents/schema";
import { CompleteUpload, Upload } from "@/lib/documents/upload-schema";
import { completeUpload } from "@/lib/documents/write/uploads";
import { onlyPost } from "@/lib/http/only-method";

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
