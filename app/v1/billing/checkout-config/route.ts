import { listRates } from "@/lib/models/rate-list";
import { getCheckoutConfig } from "@/lib/money/billing/read/checkout";
import { CheckoutConfig } from "@/lib/money/billing/schema";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getCheckoutConfig",
  summary: "Get the payment settings and prices.",
  gate: apiKey("billing:read"),
  answer: CheckoutConfig,
  handle: async () => ({ ...getCheckoutConfig(), rates: listRates() }),
});
