import { closeAccount } from "@/lib/operations/accounts/write";
import { memberPost } from "@/lib/platform/auth/member-route";
import { CloseAccount } from "@/lib/platform/auth/settings-schema";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: CloseAccount,
  handle: async ({ ctx, body }) => {
    await closeAccount(ctx, body);
    return { object: "account", id: ctx.account.id, deleted: true };
  },
});
