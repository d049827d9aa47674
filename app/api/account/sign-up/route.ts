import { limitSignUps } from "@/lib/platform/auth/limits";
import { SignUp } from "@/lib/platform/auth/schema";
import { sameOrigin } from "@/lib/platform/auth/session-gate";
import { requestSignUp } from "@/lib/platform/auth/write/sign-up";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: SignUp,
  status: 202,
  handle: async ({ ctx, body }) => {
    await limitSignUps(ctx.address);
    await requestSignUp(body);
    // The same whether or not the email had an account.
    return { object: "sign_up", status: "accepted", email: body.email };
  },
});
