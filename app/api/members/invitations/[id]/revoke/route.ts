import { memberPost } from "@/lib/platform/auth/member-route";
import { RowParams } from "@/lib/platform/auth/settings-schema";
import { revokeInvitation } from "@/lib/platform/auth/write/invitation";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  params: RowParams,
  handle: ({ ctx, params }) => revokeInvitation(ctx, params.id),
});
