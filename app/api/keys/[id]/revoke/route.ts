import { KeyParams } from "@/lib/money/keys/schema";
import { revokeKey } from "@/lib/money/keys/write/keys";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: KeyParams,
  handle: ({ ctx, params }) => revokeKey(ctx, params.id),
});
