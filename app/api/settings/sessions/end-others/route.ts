import { session } from "@/lib/platform/auth/session-gate";
import { endOtherSessions } from "@/lib/platform/auth/write/settings";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  handle: ({ ctx }) => endOtherSessions(ctx),
});
