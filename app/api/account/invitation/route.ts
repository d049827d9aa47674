import { limitLinks } from "@/lib/auth/limits";
import { OpenInvitation } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { getInvitation } from "@/lib/auth/write/invitation";
import { methodNotAllowed } from "@/lib/http/methods";
import { clientAddress } from "@/lib/http/request";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: sameOrigin,
  body: OpenInvitation,
  handle: async ({ body, request }) => {
    await limitLinks(clientAddress(request.headers.get("x-forwarded-for")));
    return getInvitation(body);
  },
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
