import { session } from "@/lib/auth/session-gate";
import { CheckoutParams } from "@/lib/billing/schema";
import { refreshCheckout } from "@/lib/billing/write/payments";
import { onlyGet } from "@/lib/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  params: CheckoutParams,
  handle: ({ ctx, params }) => refreshCheckout(ctx, params.id),
});
