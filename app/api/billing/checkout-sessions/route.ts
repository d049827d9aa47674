import { session } from "@/lib/auth/session-gate";
import { CreateCheckout } from "@/lib/billing/schema";
import { createCheckout } from "@/lib/billing/write/checkout";
import { onlyPost } from "@/lib/http/only-method";
import { readIdempotencyKey } from "@/lib/http/request";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  gate: session(),
  body: CreateCheckout,
  status: 201,
  handle: ({ ctx, body, request }) =>
    createCheckout(ctx, { ...body, idempotencyKey: readIdempotencyKey(request) }),
});
