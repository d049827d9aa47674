import { memberPost } from "@/lib/platform/auth/member-route";
import { ChangePassword } from "@/lib/platform/auth/settings-schema";
import { changePassword } from "@/lib/platform/auth/write/settings";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: ChangePassword,
  handle: ({ ctx, body }) => changePassword(ctx, body),
});
