import { resetPassword } from "@/lib/accounts/write";
import { limitLinks } from "@/lib/auth/limits";
import { ResetPassword } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: ResetPassword,
  handle: async ({ ctx, body }) => {
    await limitLinks(ctx.address);
    const revoked = await resetPassword(ctx, body);
    return { object: "password_reset", status: "done", revoked_keys: revoked };
  },
});
