import { CreateUpload } from "@/lib/library/documents/upload-schema";
import { createUpload } from "@/lib/library/documents/write/uploads";
import { memberPost } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: CreateUpload,
  handle: ({ ctx, body }) => createUpload(ctx, body),
});
