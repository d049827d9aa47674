import { dismissalCookie } from "@/lib/money/billing/onboarding-cookie";
import { DismissOnboarding } from "@/lib/money/usage/overview-schema";
import { memberPost } from "@/lib/platform/auth/member-route";
import { Reply } from "@/lib/platform/http/route";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: DismissOnboarding,
  handle: async ({ ctx, body }) =>
    new Reply(
      { object: "overview.steps", is_dismissed: body.is_dismissed },
      { "set-cookie": dismissalCookie(ctx.account.id, body.is_dismissed) },
    ),
});
