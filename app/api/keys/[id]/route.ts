import { getKey } from "@/lib/money/keys/read";
import { KeyParams, UpdateKey } from "@/lib/money/keys/schema";
import { updateKey } from "@/lib/money/keys/write/keys";
import { memberRoute } from "@/lib/platform/auth/member-route";
import { methodNotAllowed } from "@/lib/platform/http/methods";

export const GET = memberRoute({
  params: KeyParams,
  handle: ({ ctx, params }) => getKey(ctx, params.id),
});

export const POST = memberRoute({
  params: KeyParams,
  body: UpdateKey,
  handle: ({ ctx, params, body }) => updateKey(ctx, params.id, body),
});

export const { PUT, PATCH, DELETE } = methodNotAllowed({ GET, POST });
