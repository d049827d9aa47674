import "server-only";

import { conflict, notFound } from "@/lib/errors";
import { query } from "@/lib/platform/db/client";
import { findSimulatedCheckout } from "../read/checkout";
import type {
  CheckoutStatus,
  SimulatedAction,
  SimulatedAnswer,
  SimulatedCheckout,
} from "../schema";
import { simulatedPayments } from "../vendor/provider";
import { receivePaymentEvent } from "./payments";

type Step = Record<"from" | "to", CheckoutStatus> & { event: string };

/** Declining has no step: a declined card leaves the checkout open. */
const STEPS: Record<Exclude<SimulatedAction, "decline">, Step> = {
  pay: { from: "open", to: "paid", event: "checkout.session.completed" },
  pay_later: { from: "open", to: "processing", event: "checkout.session.completed" },
  expire: { from: "open", to: "expired", event: "checkout.session.expired" },
  settle: { from: "processing", to: "paid", event: "checkout.session.async_payment_succeeded" },
  fail: { from: "processing", to: "failed", event: "checkout.session.async_payment_failed" },
};

/**
 * Acts as the payer or bank, then delivers a signed event to the webhook's handler. Repeating an action delivers its event
 * again, in case the first delivery failed. Throws not_found or conflict.
 */
export async function actOnSimulatedCheckout(
  id: string,
  action: SimulatedAction,
): Promise<SimulatedAnswer> {
  const provider = simulatedPayments();
  const before = await getSimulated(id);
  const step = action === "decline" ? null : STEPS[action];
  if (step ? !(await advance(id, step)) : before.status !== "open") {
    throw conflict(
      `This checkout is ${before.status}, so this is no longer possible. Open a new one on the billing page.`,
      "action",
    );
  }
  if (step) {
    await receivePaymentEvent(await provider.makeEvent(id, step.event));
  }
  const checkout = step ? await getSimulated(id) : before;
  return {
    object: "simulated_checkout",
    id,
    status: checkout.status,
    payment_status: checkout.paymentStatus,
    return_url: checkout.successUrl,
    declined: step === null,
  };
}

async function getSimulated(id: string): Promise<SimulatedCheckout> {
  const found = await findSimulatedCheckout(id);
  if (!found) {
    throw notFound(
      "There is no such simulated checkout. Add funds on the billing page to open one.",
    );
  }
  return found;
}

/** Returns whether the checkout is now in the step's target state. */
async function advance(id: string, { from, to }: Step): Promise<boolean> {
  const rows = await query(
    "billing_step_simulated",
    `UPDATE simulated_checkout SET state = $3
      WHERE id = $1 AND (state = $3 OR state = $2 AND (state <> 'open' OR expires_at > now() OR $3 = 'expired'))
      RETURNING id`,
    [id, from, to],
  );
  return rows.length > 0;
}
