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

/** Inquiries take nothing yet, prevented disputes never do; `won` gives back. All others have the money. */
const NOT_TAKEN = [
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
  "prevented",
  "won",
];
const CLOSED = ["won", "lost", "prevented", "warning_closed"];
/** More than the steps a dispute makes between two movements of its money. */
const STEPS = 10;

/**
 * A lost dispute may be appealed and then won, so its status alone does not tell which of two readings is
 * older: first the number of movements of its money does, which only grows, then the status.
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
    // In a foreign currency it says nothing of how much of ours is away: all of the payment, at most.
    amount: dispute.currency === CHECKOUT_CURRENCY ? dispute.amount : paidAmount,
    state: dispute.status,
    version: (dispute.balance_transactions?.length ?? 0) * STEPS + step,
    isDebited: !NOT_TAKEN.includes(dispute.status),
  };
}
