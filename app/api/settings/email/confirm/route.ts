import { ConfirmEmail } from "@/lib/platform/auth/schema";
import { session } from "@/lib/platform/auth/session-gate";
import { confirmEmail } from "@/lib/platform/auth/write/confirmation";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: ConfirmEmail,
  handle: async ({ ctx, body }) => {
    await confirmEmail(ctx, body);
    return { object: "email_confirmation", status: "confirmed" };
  },
});
