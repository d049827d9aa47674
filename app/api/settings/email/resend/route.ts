import { session } from "@/lib/platform/auth/session-gate";
import { resendConfirmation } from "@/lib/platform/auth/write/confirmation";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  handle: async ({ ctx }) => {
    await resendConfirmation(ctx);
    return { object: "email_confirmation", status: "sent" };
  },
});
