import { session } from "@/lib/auth/session-gate";
import { onlyGet } from "@/lib/http/only-method";
import { getOverview } from "@/lib/usage/read/overview";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  handle: ({ ctx }) => getOverview(ctx),
});
