import { CheckoutParams } from "@/lib/money/billing/schema";
import { refreshCheckout } from "@/lib/money/billing/write/payments";
import { memberGet } from "@/lib/platform/auth/member-route";

export const { GET, POST, PUT, PATCH, DELETE } = memberGet({
  params: CheckoutParams,
  handle: ({ ctx, params }) => refreshCheckout(ctx, params.id),
});
