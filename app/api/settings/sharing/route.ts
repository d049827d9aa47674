import { session } from "@/lib/platform/auth/session-gate";
import { ChangeSharing } from "@/lib/platform/auth/settings-schema";
import { changeSharing } from "@/lib/platform/auth/write/settings";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: ChangeSharing,
  handle: ({ ctx, body }) => changeSharing(ctx, body),
});
