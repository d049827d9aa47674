import { apiKey } from "@/lib/auth/api-key";
import { CheckoutParams, CheckoutSession } from "@/lib/billing/schema";
import { refreshCheckout } from "@/lib/billing/write/payments";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getCheckoutSession",
  summary: "Get a checkout and whether it was paid.",
  gate: apiKey("billing:read"),
  params: CheckoutParams,
  answer: CheckoutSession,
  handle: ({ ctx, params }) => refreshCheckout(ctx, params.id),
});
