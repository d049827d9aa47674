import { limitLinks } from "@/lib/platform/auth/limits";
import { Join } from "@/lib/platform/auth/schema";
import { sameOrigin } from "@/lib/platform/auth/session-gate";
import { acceptInvitation } from "@/lib/platform/auth/write/invitation";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: Join,
  status: 201,
  handle: async ({ ctx, body }) => {
    await limitLinks(ctx.address);
    return { object: "member", ...(await acceptInvitation(ctx, body)) };
  },
});
