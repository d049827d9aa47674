import { apiKey } from "@/lib/auth/api-key";
import { getCheckoutConfig } from "@/lib/billing/read/checkout";
import { CheckoutConfig } from "@/lib/billing/schema";
import { methodNotAllowed } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listRates } from "@/lib/models/catalogue";

export const GET = route({
  summary: "Get the payment settings and prices.",
  gate: apiKey("billing:read"),
  answer: CheckoutConfig,
  handle: async () => ({ ...getCheckoutConfig(), rates: listRates() }),
});

export const { POST, PUT, PATCH, DELETE } = methodNotAllowed("GET");
