import { memberPost } from "@/lib/platform/auth/member-route";
import { RenameAccount } from "@/lib/platform/auth/settings-schema";
import { renameAccount } from "@/lib/platform/auth/write/settings";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: RenameAccount,
  handle: ({ ctx, body }) => renameAccount(ctx, body),
});
