import { CreateCheckout } from "@/lib/money/billing/schema";
import { createCheckout } from "@/lib/money/billing/write/checkout";
import { session } from "@/lib/platform/auth/session-gate";
import { onlyPost } from "@/lib/platform/http/only-method";
import { readIdempotencyKey } from "@/lib/platform/http/request";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: CreateCheckout,
  status: 201,
  handle: ({ ctx, body, request }) =>
    createCheckout(ctx, { ...body, idempotencyKey: readIdempotencyKey(request) }),
});
