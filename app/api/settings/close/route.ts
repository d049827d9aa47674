import { closeAccount } from "@/lib/accounts/write";
import { session } from "@/lib/auth/session-gate";
import { CloseAccount } from "@/lib/auth/settings-schema";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: session(),
  body: CloseAccount,
  handle: async ({ ctx, body }) => {
    await closeAccount(ctx, body);
    return { object: "account", id: ctx.account.id, deleted: true };
  },
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
