import { session } from "@/lib/auth/session-gate";
import { Invite } from "@/lib/auth/settings-schema";
import { createInvitation } from "@/lib/auth/write/invitation";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: session(),
  body: Invite,
  handle: ({ ctx, body }) => createInvitation(ctx, body),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
