import { limitLinks } from "@/lib/auth/limits";
import { Join } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { acceptInvitation } from "@/lib/auth/write/invitation";
import { onlyPost } from "@/lib/http/only-method";
import { clientAddress } from "@/lib/http/request";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: Join,
  status: 201,
  handle: async ({ ctx, body, request }) => {
    await limitLinks(clientAddress(request.headers.get("x-forwarded-for")));
    return { object: "member", ...(await acceptInvitation(ctx, body)) };
  },
});
