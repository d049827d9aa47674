import { stripeSignature } from "@/lib/billing/vendor/provider";
import { receivePaymentEvent } from "@/lib/billing/write/payments";
import { onlyPost } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: stripeSignature(),
  handle: ({ ctx }) => receivePaymentEvent(ctx.event),
});
