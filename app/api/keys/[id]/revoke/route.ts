import { session } from "@/lib/auth/session-gate";
import { onlyPost } from "@/lib/http/only-method";
import { KeyParams } from "@/lib/keys/schema";
import { revokeKey } from "@/lib/keys/write/keys";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  params: KeyParams,
  handle: ({ ctx, params }) => revokeKey(ctx, params.id),
});
