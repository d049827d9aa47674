import { session } from "@/lib/platform/auth/session-gate";
import { ChangeRole, RowParams } from "@/lib/platform/auth/settings-schema";
import { changeRole } from "@/lib/platform/auth/write/members";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: RowParams,
  body: ChangeRole,
  handle: ({ ctx, params, body }) => changeRole(ctx, params.id, body),
});
