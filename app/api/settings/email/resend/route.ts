import { session } from "@/lib/auth/session-gate";
import { resendConfirmation } from "@/lib/auth/write/confirmation";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  handle: async ({ ctx }) => {
    await resendConfirmation(ctx);
    return { object: "email_confirmation", status: "sent" };
  },
});
