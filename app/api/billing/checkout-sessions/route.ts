import { session } from "@/lib/auth/session-gate";
import { CreateCheckout } from "@/lib/billing/schema";
import { createCheckout } from "@/lib/billing/write/checkout";
import { methodNotAllowed } from "@/lib/http/methods";
import { readIdempotencyKey } from "@/lib/http/request";
import { route } from "@/lib/http/route";

export const POST = route({
  gate: session(),
  body: CreateCheckout,
  status: 201,
  handle: ({ ctx, body, request }) =>
    createCheckout(ctx, { ...body, idempotencyKey: readIdempotencyKey(request) }),
});

export const { GET, PUT, PATCH, DELETE } = methodNotAllowed("POST");
