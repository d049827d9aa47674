import { session } from "@/lib/auth/session-gate";
import { dismissalCookie } from "@/lib/billing/onboarding-cookie";
import { methodNotAllowed } from "@/lib/http/methods";
import { Reply, route } from "@/lib/http/route";
import { DismissOnboarding } from "@/lib/usage/schema";

export const POST = route({
  gate: session(),
  body: DismissOnboarding,
  handle: async ({ ctx, body }) =>
    new Reply(
      { object: "overview.steps", is_dismissed: body.is_dismissed },
      { "set-cookie": dismissalCookie(ctx.account.id, body.is_dismissed) },
    ),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
