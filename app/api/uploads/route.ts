import { session } from "@/lib/auth/session-gate";
import { CreateUpload } from "@/lib/documents/upload-schema";
import { createUpload } from "@/lib/documents/write/uploads";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: CreateUpload,
  handle: ({ ctx, body }) => createUpload(ctx, body),
});
