import { session } from "@/lib/auth/session-gate";
import { endOtherSessions } from "@/lib/auth/write/settings";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: session(),
  handle: ({ ctx }) => endOtherSessions(ctx),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
