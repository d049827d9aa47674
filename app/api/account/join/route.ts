import { limitLinks } from "@/lib/auth/limits";
import { Join } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { acceptInvitation } from "@/lib/auth/write/invitation";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: Join,
  status: 201,
  handle: async ({ ctx, body }) => {
    await limitLinks(ctx.address);
    return { object: "member", ...(await acceptInvitation(ctx, body)) };
  },
});
