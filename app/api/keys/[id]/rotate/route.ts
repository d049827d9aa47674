import { KeyParams, RotateKey } from "@/lib/money/keys/schema";
import { rotateKey } from "@/lib/money/keys/write/keys";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: KeyParams,
  body: RotateKey,
  handle: ({ ctx, params, body }) => rotateKey(ctx, params.id, body),
});
