import { createFirstKey } from "@/lib/money/keys/write/keys";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  handle: ({ ctx }) => createFirstKey(ctx),
});
