import { session } from "@/lib/auth/session-gate";
import { onlyPost } from "@/lib/http/only-method";
import { KeyParams, UpdateKey } from "@/lib/keys/schema";
import { updateKey } from "@/lib/keys/write/keys";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: KeyParams,
  body: UpdateKey,
  handle: ({ ctx, params, body }) => updateKey(ctx, params.id, body),
});
