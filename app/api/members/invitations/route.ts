import { session } from "@/lib/auth/session-gate";
import { Invite } from "@/lib/auth/settings-schema";
import { invite } from "@/lib/auth/write/invitation";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: session(),
  body: Invite,
  handle: ({ ctx, body }) => invite(ctx, body),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
