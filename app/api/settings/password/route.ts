import { session } from "@/lib/auth/session-gate";
import { ChangePassword } from "@/lib/auth/settings-schema";
import { changePassword } from "@/lib/auth/write/settings";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: ChangePassword,
  handle: ({ ctx, body }) => changePassword(ctx, body),
});
