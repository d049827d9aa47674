import { CheckoutSession, CreateCheckout } from "@/lib/money/billing/schema";
import { createCheckout } from "@/lib/money/billing/write/checkout";
import { keyPost } from "@/lib/platform/auth/key-route";
import { IdempotencyHeaders, readIdempotencyKey } from "@/lib/platform/http/request";

export const { GET, POST, PUT, PATCH, DELETE } = keyPost("billing:write", {
  operationId: "createCheckoutSession",
  summary: "Create a checkout that adds funds; `Idempotency-Key` makes retries safe.",
  headers: IdempotencyHeaders,
  body: CreateCheckout,
  answer: CheckoutSession,
  status: 201,
  handle: ({ ctx, body, request }) =>
    createCheckout(ctx, { ...body, idempotencyKey: readIdempotencyKey(request) }),
});
