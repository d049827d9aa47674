import { sameOrigin } from "@/lib/auth/session-gate";
import { ActOnSimulatedCheckout, CheckoutParams } from "@/lib/billing/schema";
import { actOnSimulatedCheckout } from "@/lib/billing/write/simulated-checkout";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: sameOrigin,
  params: CheckoutParams,
  body: ActOnSimulatedCheckout,
  handle: ({ params, body }) => actOnSimulatedCheckout(params.id, body.action),
});
