import { limitSignUps } from "@/lib/auth/limits";
import { SignUp } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { signUp } from "@/lib/auth/write/sign-up";
import { methodNotAllowed } from "@/lib/http/methods";
import { clientAddress } from "@/lib/http/request";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: sameOrigin,
  body: SignUp,
  status: 201,
  handle: async ({ body, request }) => {
    await limitSignUps(clientAddress(request.headers.get("x-forwarded-for")));
    const { id, email } = await signUp(body);
    return { object: "member", id, email };
  },
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
