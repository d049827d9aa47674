import { resetPassword } from "@/lib/accounts/write";
import { limitLinks } from "@/lib/auth/limits";
import { ResetPassword } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { onlyPost } from "@/lib/http/only-method";
import { clientAddress } from "@/lib/http/request";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: ResetPassword,
  handle: async ({ ctx, body, request }) => {
    await limitLinks(clientAddress(request.headers.get("x-forwarded-for")));
    const revoked = await resetPassword(ctx, body);
    return { object: "password_reset", status: "done", revoked_keys: revoked };
  },
});
