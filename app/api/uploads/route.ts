import { CreateUpload } from "@/lib/library/documents/upload-schema";
import { createUpload } from "@/lib/library/documents/write/uploads";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: CreateUpload,
  handle: ({ ctx, body }) => createUpload(ctx, body),
});
