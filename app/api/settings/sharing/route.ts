import { session } from "@/lib/auth/session-gate";
import { ChangeSharing } from "@/lib/auth/settings-schema";
import { changeSharing } from "@/lib/auth/write/settings";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: ChangeSharing,
  handle: ({ ctx, body }) => changeSharing(ctx, body),
});
