import { limitLinks } from "@/lib/auth/limits";
import { OpenInvitation } from "@/lib/auth/schema";
import { sameOrigin } from "@/lib/auth/session-gate";
import { getInvitation } from "@/lib/auth/write/invitation";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: OpenInvitation,
  handle: async ({ ctx, body }) => {
    await limitLinks(ctx.address);
    return getInvitation(body);
  },
});
