import { newId } from "@/lib/id";
import { db } from "@/lib/platform/db/client";
import { call } from "@/lib/testing/api";

/** Uses the idempotency key that attackers also send. */
export async function makeCheckout(key: string): Promise<string> {
  const { json } = await call("POST", "/v1/billing/checkout-sessions", {
    key,
    body: { amount: 2500 },
    headers: { "idempotency-key": "order-1" },
  });
  return json.id;
}

/** Pays a checkout and begins a refund of it. */
export async function payAndRefund(checkoutId: string): Promise<void> {
  const where = { id: checkoutId };
  const { providerId } = await db().checkoutSession.findUniqueOrThrow({ where });
  await call("POST", `/api/checkout/simulated/${providerId}`, { body: { action: "pay" } });
  const payment = await db().payment.findFirstOrThrow({ where: { checkoutSessionId: checkoutId } });
  await db().paymentReversal.create({
    data: {
      ...{ id: newId("ledgerEntry"), paymentReference: payment.reference, kind: "refund" },
      ...{ amountMicros: 1n, state: "pending", version: 1, isDebited: false },
    },
  });
}
