import { admitCompletion } from "@/lib/library/documents/read-part";
import { IdParams } from "@/lib/library/documents/schema";
import { CompleteUpload, Upload } from "@/lib/library/documents/upload-schema";
import { completeUpload } from "@/lib/library/documents/write/uploads";
import { keyPost } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("kb:documents:write", {
  operationId: "completeUpload",
  summary: "Make an upload's parts one document, which is then processed.",
  params: IdParams,
  admit: admitCompletion,
  body: CompleteUpload,
  answer: Upload,
  handle: ({ ctx, params, body }) => completeUpload({ ctx, key: ctx, id: params.id }, body),
});
