import { session } from "@/lib/auth/session-gate";
import { getCredits } from "@/lib/billing/read/balance";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: session(),
  handle: ({ ctx }) => getCredits(ctx),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
