import { memberPost } from "@/lib/platform/auth/member-route";
import { ConfirmEmail } from "@/lib/platform/auth/schema";
import { confirmEmail } from "@/lib/platform/auth/write/confirmation";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: ConfirmEmail,
  handle: async ({ ctx, body }) => {
    await confirmEmail(ctx, body);
    return { object: "email_confirmation", status: "confirmed" };
  },
});
