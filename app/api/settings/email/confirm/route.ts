import { ConfirmEmail } from "@/lib/auth/schema";
import { session } from "@/lib/auth/session-gate";
import { confirmEmail } from "@/lib/auth/write/confirmation";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: ConfirmEmail,
  handle: async ({ ctx, body }) => {
    await confirmEmail(ctx, body);
    return { object: "email_confirmation", status: "confirmed" };
  },
});
