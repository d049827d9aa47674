import { getKey } from "@/lib/money/keys/read";
import { KeyParams, UpdateKey } from "@/lib/money/keys/schema";
import { updateKey } from "@/lib/money/keys/write/keys";
import { session } from "@/lib/platform/auth/session-gate";
import { methodNotAllowed } from "@/lib/platform/http/methods";
import { route } from "@/lib/platform/http/route";

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
