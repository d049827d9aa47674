import { limitResets } from "@/lib/auth/limits";
import { ForgotPassword } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { requestPasswordReset } from "@/lib/auth/write/reset";
import { onlyPost } from "@/lib/http/only-method";

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
