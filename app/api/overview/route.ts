import { session } from "@/lib/auth/session-gate";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { getOverview } from "@/lib/usage/read/overview";

export const GET = route({
  gate: session(),
  handle: ({ ctx }) => getOverview(ctx),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
