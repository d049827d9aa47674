import { limitResets } from "@/lib/platform/auth/limits";
import { ForgotPassword } from "@/lib/platform/auth/schema";
import { sameOrigin } from "@/lib/platform/auth/session-gate";
import { requestPasswordReset } from "@/lib/platform/auth/write/reset";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: ForgotPassword,
  status: 202,
  handle: async ({ ctx, body }) => {
    await limitResets(body.email, ctx.address);
    await requestPasswordReset(body);
    // The same whether or not the email has an account.
    return { object: "password_reset", status: "requested" };
  },
});
