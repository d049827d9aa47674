import { SignUp } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { signUp } from "@/lib/auth/write";
import { otherMethods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: sameOrigin,
  body: SignUp,
  status: 201,
  handle: async ({ body }) => {
    const { id, email } = await signUp(body);
    return { object: "member", id, email };
  },
});

export const { GET, PUT, PATCH, DELETE } = otherMethods("POST");
