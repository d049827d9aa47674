import { SignUp } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { signUp } from "@/lib/auth/write";
import { otherMethods } from "@/lib/http/methods";
import { Reply, route } from "@/lib/http/route";

export const POST = route({
  gate: sameOrigin,
  body: SignUp,
  handle: async ({ body }) => {
    const { id, email } = await signUp(body);
    return new Reply({ object: "member", id, email }, { status: 201 });
  },
});

export const { GET, PUT, PATCH, DELETE } = otherMethods("POST");
