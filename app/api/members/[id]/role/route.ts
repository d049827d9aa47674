import { session } from "@/lib/auth/session-gate";
import { ChangeRole, RowParams } from "@/lib/auth/settings-schema";
import { changeRole } from "@/lib/auth/write/members";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: session(),
  params: RowParams,
  body: ChangeRole,
  handle: ({ ctx, params, body }) => changeRole(ctx, params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
