import { session } from "@/lib/auth/session-gate";
import { RenameAccount } from "@/lib/auth/settings-schema";
import { renameAccount } from "@/lib/auth/write/settings";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: session(),
  body: RenameAccount,
  handle: ({ ctx, body }) => renameAccount(ctx, body),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
