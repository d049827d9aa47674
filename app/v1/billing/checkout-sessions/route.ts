import { apiKey } from "@/lib/auth/api-key";
import { CheckoutSession, CreateCheckout } from "@/lib/billing/schema";
import { createCheckout } from "@/lib/billing/write/checkout";
import { methodNotAllowed } from "@/lib/http/methods";
import { readIdempotencyKey } from "@/lib/http/request";
import { route } from "@/lib/http/route";

export const POST = route({
  summary: "Create a checkout that adds funds; `Idempotency-Key` makes retries safe.",
  gate: apiKey("billing:write"),
  body: CreateCheckout,
  answer: CheckoutSession,
  status: 201,
  handle: ({ ctx, body, request }) =>
    createCheckout(ctx, { ...body, idempotencyKey: readIdempotencyKey(request) }),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
