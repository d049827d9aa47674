import { getSettings } from "@/lib/auth/read";
import { session } from "@/lib/auth/session-gate";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  handle: ({ ctx }) => getSettings(ctx),
});
