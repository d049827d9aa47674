import { listRates } from "@/lib/models/rate-list";
import { getCheckoutConfig } from "@/lib/money/billing/read/checkout";
import { CheckoutConfig } from "@/lib/money/billing/schema";
import { keyGet } from "@/lib/platform/auth/key-route";

export const { GET, POST, PUT, PATCH, DELETE } = keyGet("billing:read", {
  operationId: "getCheckoutConfig",
  summary: "Get the payment settings and prices.",
  answer: CheckoutConfig,
  handle: async () => ({ ...getCheckoutConfig(), rates: listRates() }),
});
