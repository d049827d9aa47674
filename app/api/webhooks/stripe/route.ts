import { stripeSignature } from "@/lib/money/billing/vendor/provider";
import { receivePaymentEvent } from "@/lib/money/billing/write/payments";
import { onlyPost } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: stripeSignature(),
  handle: ({ ctx }) => receivePaymentEvent(ctx.event),
});
