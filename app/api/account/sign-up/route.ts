import { limitSignUps } from "@/lib/auth/limits";
import { SignUp } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { signUp } from "@/lib/auth/write/sign-up";
import { onlyPost } from "@/lib/http/only-method";
import { clientAddress } from "@/lib/http/request";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: SignUp,
  status: 201,
  handle: async ({ body, request }) => {
    await limitSignUps(clientAddress(request.headers.get("x-forwarded-for")));
    const { id, email } = await signUp(body);
    return { object: "member", id, email };
  },
});
