import { session } from "@/lib/auth/session-gate";
import { CheckoutParams } from "@/lib/billing/schema";
import { refreshCheckout } from "@/lib/billing/write/payments";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const GET = route({
  gate: session(),
  params: CheckoutParams,
  handle: ({ ctx, params }) => refreshCheckout(ctx, params.id),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
