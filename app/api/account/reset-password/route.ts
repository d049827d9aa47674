import { limitLinks } from "@/lib/auth/limits";
import { ResetPassword } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { resetPassword } from "@/lib/auth/write/reset";
import { methodNotAllowed } from "@/lib/http/methods";
import { clientAddress } from "@/lib/http/request";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: sameOrigin,
  body: ResetPassword,
  handle: async ({ ctx, body, request }) => {
    await limitLinks(clientAddress(request.headers.get("x-forwarded-for")));
    await resetPassword(ctx, body);
    return { object: "password_reset", status: "done" };
  },
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
