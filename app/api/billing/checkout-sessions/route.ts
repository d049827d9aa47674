import { CreateCheckout } from "@/lib/money/billing/schema";
import { createCheckout } from "@/lib/money/billing/write/checkout";
import { memberPost } from "@/lib/platform/auth/member-route";
import { readIdempotencyKey } from "@/lib/platform/http/request";

export const { GET, POST, PUT, PATCH, DELETE } = memberPost({
  body: CreateCheckout,
  status: 201,
  handle: ({ ctx, body, request }) =>
    createCheckout(ctx, { ...body, idempotencyKey: readIdempotencyKey(request) }),
});
