import { closeAccount } from "@/lib/operations/accounts/write";
import { session } from "@/lib/platform/auth/session-gate";
import { CloseAccount } from "@/lib/platform/auth/settings-schema";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: CloseAccount,
  handle: async ({ ctx, body }) => {
    await closeAccount(ctx, body);
    return { object: "account", id: ctx.account.id, deleted: true };
  },
});
