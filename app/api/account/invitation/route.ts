import { limitLinks } from "@/lib/platform/auth/limits";
import { OpenInvitation } from "@/lib/platform/auth/schema";
import { sameOrigin } from "@/lib/platform/auth/session-gate";
import { getInvitation } from "@/lib/platform/auth/write/invitation";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  body: OpenInvitation,
  handle: async ({ ctx, body }) => {
    await limitLinks(ctx.address);
    return getInvitation(body);
  },
});
