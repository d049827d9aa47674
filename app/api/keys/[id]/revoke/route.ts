import { session } from "@/lib/auth/session-gate";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { KeyParams } from "@/lib/keys/schema";
import { revokeKey } from "@/lib/keys/write/keys";

export const POST = route({
  gate: session(),
  params: KeyParams,
  handle: ({ ctx, params }) => revokeKey(ctx, params.id),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
