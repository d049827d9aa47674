import { CreateUpload, Upload } from "@/lib/library/documents/upload-schema";
import { createUpload } from "@/lib/library/documents/write/uploads";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "createUpload",
  summary: "Begin an upload in parts, which can be sent in any order and resent.",
  gate: apiKey("kb:documents:write"),
  body: CreateUpload,
  answer: Upload,
  handle: ({ ctx, body }) => createUpload(ctx, body),
});
