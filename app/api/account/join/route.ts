import { limitLinks } from "@/lib/auth/limits";
import { Join } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { acceptInvitation } from "@/lib/auth/write/invitation";
import { methodNotAllowed } from "@/lib/http/methods";
import { clientAddress } from "@/lib/http/request";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: sameOrigin,
  body: Join,
  status: 201,
  handle: async ({ ctx, body, request }) => {
    await limitLinks(clientAddress(request.headers.get("x-forwarded-for")));
    return { object: "member", ...(await acceptInvitation(ctx, body)) };
  },
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
