import { apiKey } from "@/lib/auth/api-key";
import { getCheckoutConfig } from "@/lib/billing/read/checkout";
import { CheckoutConfig } from "@/lib/billing/schema";
import { onlyGet } from "@/lib/http/only-method";
import { listRates } from "@/lib/models/rate-list";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  operationId: "getCheckoutConfig",
  summary: "Get the payment settings and prices.",
  gate: apiKey("billing:read"),
  answer: CheckoutConfig,
  handle: async () => ({ ...getCheckoutConfig(), rates: listRates() }),
});
