import { stripeSignature } from "@/lib/billing/vendor/provider";
import { receivePaymentEvent } from "@/lib/billing/write/payments";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: stripeSignature(),
  handle: ({ ctx }) => receivePaymentEvent(ctx.event),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
