import { session } from "@/lib/auth/session-gate";
import { KeepOriginals } from "@/lib/auth/settings-schema";
import { setKeepOriginals } from "@/lib/auth/write/settings";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: KeepOriginals,
  handle: ({ ctx, body }) => setKeepOriginals(ctx, body),
});
