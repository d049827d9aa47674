import { session } from "@/lib/auth/session-gate";
import { ChangePassword } from "@/lib/auth/settings-schema";
import { changePassword } from "@/lib/auth/write/settings";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: session(),
  body: ChangePassword,
  handle: ({ ctx, body }) => changePassword(ctx, body),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
