import { session } from "@/lib/auth/session-gate";
import { RowParams } from "@/lib/auth/settings-schema";
import { revokeInvitation } from "@/lib/auth/write/invitation";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: session(),
  params: RowParams,
  handle: ({ ctx, params }) => revokeInvitation(ctx, params.id),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
