import { closeAccount } from "@/lib/accounts/write";
import { session } from "@/lib/auth/session-gate";
import { CloseAccount } from "@/lib/auth/settings-schema";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: CloseAccount,
  handle: async ({ ctx, body }) => {
    await closeAccount(ctx, body);
    return { object: "account", id: ctx.account.id, deleted: true };
  },
});
