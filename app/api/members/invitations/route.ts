import { session } from "@/lib/platform/auth/session-gate";
import { Invite } from "@/lib/platform/auth/settings-schema";
import { createInvitation } from "@/lib/platform/auth/write/invitation";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: Invite,
  handle: ({ ctx, body }) => createInvitation(ctx, body),
});
