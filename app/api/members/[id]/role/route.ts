import { memberPost } from "@/lib/platform/auth/member-route";
import { ChangeRole, RowParams } from "@/lib/platform/auth/settings-schema";
import { changeRole } from "@/lib/platform/auth/write/members";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  params: RowParams,
  body: ChangeRole,
  handle: ({ ctx, params, body }) => changeRole(ctx, params.id, body),
});
