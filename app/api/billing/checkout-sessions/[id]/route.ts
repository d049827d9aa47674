import { CheckoutParams } from "@/lib/money/billing/schema";
import { refreshCheckout } from "@/lib/money/billing/write/payments";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyGet } from "@/lib/platform/http/only-method";

export const { GET, POST, PUT, PATCH, DELETE } = onlyGet({
  gate: session(),
  params: CheckoutParams,
  handle: ({ ctx, params }) => refreshCheckout(ctx, params.id),
});
