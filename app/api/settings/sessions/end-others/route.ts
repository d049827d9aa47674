import { session } from "@/lib/auth/session-gate";
import { endOtherSessions } from "@/lib/auth/write/settings";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  handle: ({ ctx }) => endOtherSessions(ctx),
});
