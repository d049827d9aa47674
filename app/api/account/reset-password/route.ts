import { resetPassword } from "@/lib/operations/accounts/write";
import { limitLinks } from "@/lib/platform/auth/limits";
import { ResetPassword } from "@/lib/platform/auth/schema";
import { sameOrigin } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: ResetPassword,
  handle: async ({ ctx, body }) => {
    await limitLinks(ctx.address);
    const revoked = await resetPassword(ctx, body);
    return { object: "password_reset", status: "done", revoked_keys: revoked };
  },
});
