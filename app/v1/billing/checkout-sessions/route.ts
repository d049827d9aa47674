import { apiKey } from "@/lib/auth/api-key";
import { CheckoutSession, CreateCheckout } from "@/lib/billing/schema";
import { createCheckout } from "@/lib/billing/write/checkout";
import { onlyPost } from "@/lib/http/only-method";
import { IdempotencyHeaders, readIdempotencyKey } from "@/lib/http/request";

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
