import "server-only";

import { query } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import { findSimulatedCheckout } from "../read/checkout";
import type {
  CheckoutStatus,
  SimulatedAction,
  SimulatedAnswer,
  SimulatedCheckout,
} from "../schema";
import { simulatedPayments } from "../vendor/provider";
import type { SimulatedProvider } from "../vendor/simulated";
import { receivePaymentEvent } from "./payments";

interface Step {
  from: CheckoutStatus;
  to: CheckoutStatus;
  event: string;
}

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
  if (action === "decline") {
    if (before.status !== "open") {
      throw closed(before);
    }
    return toResult(before, action);
  }
  const step = STEPS[action];
  if (!(await advance(id, step))) {
    throw closed(before);
  }
  await deliver(provider, id, step.event);
  return toResult(await getSimulated(id), action);
}

async function getSimulated(id: string): Promise<SimulatedCheckout> {
  const found = await findSimulatedCheckout(id);
  if (!found) {
    throw new AppError(
      "not_found",
      "There is no such simulated checkout. Add funds on the billing page to open one.",
    );
  }
  return found;
}

function closed({ status }: SimulatedCheckout): AppError {
  return new AppError(
    "conflict",
    `This checkout is ${status}, so this is no longer possible. Open a new one on the billing page.`,
    { param: "action" },
  );
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

/** Signed and verified like an external event. */
async function deliver(provider: SimulatedProvider, id: string, type: string): Promise<void> {
  const { body, signature } = await provider.sendEvent(id, type);
  await receivePaymentEvent(await provider.readEvent(Buffer.from(body), signature));
}

function toResult(checkout: SimulatedCheckout, action: SimulatedAction): SimulatedAnswer {
  return {
    object: "simulated_checkout",
    id: checkout.id,
    status: checkout.status,
    payment_status: checkout.paymentStatus,
    return_url: checkout.successUrl,
    declined: action === "decline",
  };
}
