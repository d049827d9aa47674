import { session } from "@/lib/platform/auth/session-gate";
import { KeepOriginals } from "@/lib/platform/auth/settings-schema";
import { setKeepOriginals } from "@/lib/platform/auth/write/settings";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: KeepOriginals,
  handle: ({ ctx, body }) => setKeepOriginals(ctx, body),
});
