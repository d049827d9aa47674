import { session } from "@/lib/auth/session-gate";
import { getCredits } from "@/lib/billing/read/balance";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  handle: ({ ctx }) => getCredits(ctx),
});
