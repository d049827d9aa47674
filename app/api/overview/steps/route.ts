import { dismissalCookie } from "@/lib/money/billing/onboarding-cookie";
import { DismissOnboarding } from "@/lib/money/usage/overview-schema";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";
import { Reply } from "@/lib/platform/http/route";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: DismissOnboarding,
  handle: async ({ ctx, body }) =>
    new Reply(
      { object: "overview.steps", is_dismissed: body.is_dismissed },
      { "set-cookie": dismissalCookie(ctx.account.id, body.is_dismissed) },
    ),
});
