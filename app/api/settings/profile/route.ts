import { session } from "@/lib/auth/session-gate";
import { RenameMember } from "@/lib/auth/settings-schema";
import { renameMember } from "@/lib/auth/write/settings";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: session(),
  body: RenameMember,
  handle: ({ ctx, body }) => renameMember(ctx, body),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
