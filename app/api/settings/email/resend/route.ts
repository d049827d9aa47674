import { memberPost } from "@/lib/platform/auth/member-route";
import { resendConfirmation } from "@/lib/platform/auth/write/confirmation";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  handle: async ({ ctx }) => {
    await resendConfirmation(ctx);
    return { object: "email_confirmation", status: "sent" };
  },
});
