import { ActOnSimulatedCheckout, CheckoutParams } from "@/lib/money/billing/schema";
import { actOnSimulatedCheckout } from "@/lib/money/billing/write/simulated-checkout";
import { sameOrigin } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  params: CheckoutParams,
  body: ActOnSimulatedCheckout,
  handle: ({ params, body }) => actOnSimulatedCheckout(params.id, body.action),
});
