import { apiKey } from "@/lib/auth/api-key";
import { CreateUpload, Upload } from "@/lib/documents/upload-schema";
import { createUpload } from "@/lib/documents/write/uploads";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "createUpload",
  summary: "Begin an upload in parts, which can be sent in any order and resent.",
  gate: apiKey("kb:documents:write"),
  body: CreateUpload,
  answer: Upload,
  handle: ({ ctx, body }) => createUpload(ctx, body),
});
