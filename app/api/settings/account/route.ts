import { session } from "@/lib/platform/auth/session-gate";
import { RenameAccount } from "@/lib/platform/auth/settings-schema";
import { renameAccount } from "@/lib/platform/auth/write/settings";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: RenameAccount,
  handle: ({ ctx, body }) => renameAccount(ctx, body),
});
