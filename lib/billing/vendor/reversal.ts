import type Stripe from "stripe";
import { CHECKOUT_CURRENCY } from "../checkout";
import type { Reversal } from "./port";

/** A refund may fail after it succeeded, never the other way round. */
const REFUND_VERSIONS: Record<string, number> = {
  pending: 1,
  requires_action: 1,
  succeeded: 2,
  failed: 3,
  canceled: 3,
};

export function refundReversal(refund: Pick<Stripe.Refund, "id" | "amount" | "status">): Reversal {
  const state = refund.status ?? "pending";
  return {
    id: refund.id,
    kind: "refund",
    amount: refund.amount,
    state,
    version: REFUND_VERSIONS[state] ?? 1,
    isDebited: state !== "failed" && state !== "canceled",
  };
}

/** Inquiries and prevented disputes debit nothing, and `won` gives the money back. */
const NOT_TAKEN = [
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
  "prevented",
  "won",
];
const CLOSED = ["won", "lost", "prevented", "warning_closed"];
/** More than the status changes of a dispute between two movements of its money. */
const STEPS = 10;

/**
 * A lost dispute may be appealed and won, so the status alone does not order two readings: the number of movements of
 * its money, which only grows, comes first.
 */
export function disputeReversal(
  dispute: Pick<Stripe.Dispute, "id" | "amount" | "currency" | "status"> & {
    balance_transactions?: readonly unknown[];
  },
  paidAmount: number,
): Reversal {
  const step = CLOSED.includes(dispute.status) ? 3 : dispute.status.startsWith("warning") ? 1 : 2;
  return {
    id: dispute.id,
    kind: "dispute",
    // In a foreign currency the debited amount is unknown: at most the whole payment.
    amount: dispute.currency === CHECKOUT_CURRENCY ? dispute.amount : paidAmount,
    state: dispute.status,
    version: (dispute.balance_transactions?.length ?? 0) * STEPS + step,
    isDebited: !NOT_TAKEN.includes(dispute.status),
  };
}
