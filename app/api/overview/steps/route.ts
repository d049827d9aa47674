import { session } from "@/lib/auth/session-gate";
import { dismissalCookie } from "@/lib/billing/onboarding-cookie";
import { onlyPost } from "@/lib/http/only-method";
import { Reply } from "@/lib/http/route";
import { DismissOnboarding } from "@/lib/usage/overview-schema";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: DismissOnboarding,
  handle: async ({ ctx, body }) =>
    new Reply(
      { object: "overview.steps", is_dismissed: body.is_dismissed },
      { "set-cookie": dismissalCookie(ctx.account.id, body.is_dismissed) },
    ),
});
