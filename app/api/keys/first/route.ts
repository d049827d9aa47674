import { session } from "@/lib/auth/session-gate";
import { onlyPost } from "@/lib/http/only-method";
import { createFirstKey } from "@/lib/keys/write/keys";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  handle: ({ ctx }) => createFirstKey(ctx),
});
