import { limitResets } from "@/lib/auth/limits";
import { ForgotPassword } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { requestPasswordReset } from "@/lib/auth/write/reset";
import { onlyPost } from "@/lib/http/only-method";
import { clientAddress } from "@/lib/http/request";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: ForgotPassword,
  status: 202,
  handle: async ({ body, request }) => {
    await limitResets(body.email, clientAddress(request.headers.get("x-forwarded-for")));
    await requestPasswordReset(body);
    // The same whether or not anybody has the e-mail.
    return { object: "password_reset", status: "requested" };
  },
});
