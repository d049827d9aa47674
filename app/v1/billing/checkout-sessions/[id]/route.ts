import { CheckoutParams, CheckoutSession } from "@/lib/money/billing/schema";
import { refreshCheckout } from "@/lib/money/billing/write/payments";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("billing:read", {
  operationId: "getCheckoutSession",
  summary: "Get a checkout and whether it was paid.",
  params: CheckoutParams,
  answer: CheckoutSession,
  handle: ({ ctx, params }) => refreshCheckout(ctx, params.id),
});
