import { session } from "@/lib/auth/session-gate";
import { ChangeRole, RowParams } from "@/lib/auth/settings-schema";
import { changeRole } from "@/lib/auth/write/members";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: RowParams,
  body: ChangeRole,
  handle: ({ ctx, params, body }) => changeRole(ctx, params.id, body),
});
