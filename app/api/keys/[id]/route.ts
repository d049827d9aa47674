import { session } from "@/lib/auth/session-gate";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { getKey } from "@/lib/keys/read";
import { KeyParams, UpdateKey } from "@/lib/keys/schema";
import { updateKey } from "@/lib/keys/write/keys";

export const GET = route({
  gate: session(),
  params: KeyParams,
  handle: ({ ctx, params }) => getKey(ctx, params.id),
});

export const POST = route({
  gate: session(),
  params: KeyParams,
  body: UpdateKey,
  handle: ({ ctx, params, body }) => updateKey(ctx, params.id, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
