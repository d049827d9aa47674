import Stripe from "stripe";
import * as z from "zod";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/platform/log";
import type { PaymentEvent } from "./port";

/** How old a signature may be, so that a recorded request cannot be sent again later. */
const TOLERANCE_SECONDS = 300;

/** The events that may change a session, its payment or its refunds and disputes. */
const SESSION_EVENTS = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
];
const PAYMENT_EVENTS = [
  "charge.refunded",
  "charge.refund.updated",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.funds_reinstated",
];

const StripeEvent = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().max(255),
  data: z.looseObject({
    object: z.looseObject({
      id: z.string().max(255).optional(),
      payment_intent: z
        .union([z.string().max(255), z.looseObject({ id: z.string().max(255) })])
        .nullish(),
    }),
  }),
});

/**
 * The event in a signed body; one of another shape, such as a thin event, is about nothing. Throws invalid_request when the
 * signature is missing, wrong or too old.
 */
export async function readSignedEvent(
  body: Uint8Array,
  signature: string | null,
  secret: string,
): Promise<PaymentEvent> {
  const bytes = Buffer.from(body);
  await verify(bytes, signature, secret);
  const { data: event } = StripeEvent.safeParse(parseJson(bytes.toString()));
  if (!event) {
    log.warn({ bytes: body.length }, "ignoring signed event of another shape");
    return { id: "", type: "", about: null };
  }
  return { id: event.id, type: event.type, about: subjectOf(event.type, event.data.object) };
}

/** Not with constructEvent: it rejects thin events as it does a wrong signature, and Stripe would resend them for days. */
async function verify(body: Buffer, signature: string | null, secret: string): Promise<void> {
  const header = signature ?? "";
  const checked = await Promise.resolve()
    .then(() =>
      Stripe.webhooks.signature?.verifyHeaderAsync(body, header, secret, TOLERANCE_SECONDS),
    )
    .catch((cause: Error) => cause);
  if (checked !== true) {
    throw new AppError(
      "invalid_request",
      "The signature in 'stripe-signature' doesn't match the body, or is older than five minutes. Check the webhook's signing secret and this server's clock.",
      { param: "stripe-signature", cause: checked },
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function subjectOf(
  type: string,
  object: z.infer<typeof StripeEvent>["data"]["object"],
): PaymentEvent["about"] {
  if (SESSION_EVENTS.includes(type)) {
    return object.id ? { sessionId: object.id } : null;
  }
  const payment = object.payment_intent;
  const reference = typeof payment === "string" ? payment : payment?.id;
  return PAYMENT_EVENTS.includes(type) && reference ? { paymentReference: reference } : null;
}

export function signEvent(body: string, secret: string): Promise<string> {
  return Stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret });
}
