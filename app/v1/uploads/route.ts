import { CreateUpload, Upload } from "@/lib/library/documents/upload-schema";
import { createUpload } from "@/lib/library/documents/write/uploads";
import { keyPost } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("kb:documents:write", {
  operationId: "createUpload",
  summary: "Begin an upload in parts, which can be sent in any order and resent.",
  body: CreateUpload,
  answer: Upload,
  handle: ({ ctx, body }) => createUpload(ctx, body),
});
