import { AppError } from "@/lib/errors";
import { readBytes } from "@/lib/http/read-body";
import type { Gate } from "@/lib/http/route";
import type { PaymentEvent } from "./vendor/port";
import { findPaymentProvider } from "./vendor/provider";

/** Stripe's events are far below this. */
const MAX_EVENT_BYTES = 1024 * 1024;

/** The webhook's gate: an event signed over its raw body. Throws invalid_request. */
export function stripeSignature(): Gate<{ event: PaymentEvent }> {
  return async (request) => {
    const provider = findPaymentProvider();
    if (!provider) {
      throw new AppError("not_found", "This server takes no payments. It expects no such events.");
    }
    const body = await readBytes(request, MAX_EVENT_BYTES);
    const event = await provider.readEvent(body, request.headers.get("stripe-signature"));
    return { ctx: { event } };
  };
}
