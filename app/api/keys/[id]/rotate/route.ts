import { session } from "@/lib/auth/session-gate";
import { onlyPost } from "@/lib/http/only-method";
import { KeyParams, RotateKey } from "@/lib/keys/schema";
import { rotateKey } from "@/lib/keys/write/keys";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: KeyParams,
  body: RotateKey,
  handle: ({ ctx, params, body }) => rotateKey(ctx, params.id, body),
});
