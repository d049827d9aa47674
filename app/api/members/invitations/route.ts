import { memberPost } from "@/lib/platform/auth/member-route";
import { Invite } from "@/lib/platform/auth/settings-schema";
import { createInvitation } from "@/lib/platform/auth/write/invitation";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: Invite,
  handle: ({ ctx, body }) => createInvitation(ctx, body),
});
