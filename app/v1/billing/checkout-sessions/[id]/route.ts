import { CheckoutParams, CheckoutSession } from "@/lib/money/billing/schema";
import { refreshCheckout } from "@/lib/money/billing/write/payments";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getCheckoutSession",
  summary: "Get a checkout and whether it was paid.",
  gate: apiKey("billing:read"),
  params: CheckoutParams,
  answer: CheckoutSession,
  handle: ({ ctx, params }) => refreshCheckout(ctx, params.id),
});
