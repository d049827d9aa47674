import { session } from "@/lib/platform/auth/session-gate";
import { ChangePassword } from "@/lib/platform/auth/settings-schema";
import { changePassword } from "@/lib/platform/auth/write/settings";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: ChangePassword,
  handle: ({ ctx, body }) => changePassword(ctx, body),
});
