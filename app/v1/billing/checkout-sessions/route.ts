import { CheckoutSession, CreateCheckout } from "@/lib/money/billing/schema";
import { createCheckout } from "@/lib/money/billing/write/checkout";
import { apiKey } from "@/lib/platform/auth/api-key";
import { onlyPost } from "@/lib/platform/http/only-method";
import { IdempotencyHeaders, readIdempotencyKey } from "@/lib/platform/http/request";

export const { GET, POST, PUT, PATCH, DELETE } = onlyPost({
  operationId: "createCheckoutSession",
  summary: "Create a checkout that adds funds; `Idempotency-Key` makes retries safe.",
  gate: apiKey("billing:write"),
  headers: IdempotencyHeaders,
  body: CreateCheckout,
  answer: CheckoutSession,
  status: 201,
  handle: ({ ctx, body, request }) =>
    createCheckout(ctx, { ...body, idempotencyKey: readIdempotencyKey(request) }),
});
