import { getSettings } from "@/lib/platform/auth/read";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  handle: ({ ctx }) => getSettings(ctx),
});
