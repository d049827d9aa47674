import { sameOrigin } from "@/lib/auth/session-gate";
import { ActOnSimulatedCheckout, CheckoutParams } from "@/lib/billing/schema";
import { actOnSimulatedCheckout } from "@/lib/billing/write/simulated-checkout";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: sameOrigin,
  params: CheckoutParams,
  body: ActOnSimulatedCheckout,
  handle: ({ params, body }) => actOnSimulatedCheckout(params.id, body.action),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
