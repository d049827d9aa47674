import { session } from "@/lib/auth/session-gate";
import { Invite } from "@/lib/auth/settings-schema";
import { createInvitation } from "@/lib/auth/write/invitation";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: Invite,
  handle: ({ ctx, body }) => createInvitation(ctx, body),
});
