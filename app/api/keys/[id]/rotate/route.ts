import { session } from "@/lib/auth/session-gate";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { KeyParams, RotateKey } from "@/lib/keys/schema";
import { rotateKey } from "@/lib/keys/write/keys";

export const POST = route({
  gate: session(),
  params: KeyParams,
  body: RotateKey,
  handle: ({ ctx, params, body }) => rotateKey(ctx, params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
