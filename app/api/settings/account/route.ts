import { session } from "@/lib/auth/session-gate";
import { RenameAccount } from "@/lib/auth/settings-schema";
import { renameAccount } from "@/lib/auth/write/settings";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: RenameAccount,
  handle: ({ ctx, body }) => renameAccount(ctx, body),
});
