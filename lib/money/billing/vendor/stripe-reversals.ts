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

/** How far a dispute has come: of two readings with as many movements of money, the later has the higher step. */
function stepOf(status: string): number {
  // Prevented after another end: the network refunded the payer.
  if (status === "prevented") {
    return 4;
  }
  if (["won", "lost", "warning_closed"].includes(status)) {
    return 3;
  }
  return status.startsWith("warning") ? 1 : 2;
}

/** More than the status changes of a dispute between two movements of its money. */
const STEPS = 10;

type DisputeFacts = Pick<Stripe.Dispute, "id" | "amount" | "currency" | "status"> & {
  balance_transactions: readonly Pick<Stripe.BalanceTransaction, "amount" | "currency">[];
};

/**
 * Whether a dispute took money is the sum of its balance transactions, not its status: an inquiry takes none, a prevented
 * dispute may, and a won one gives it back with a second transaction. The number of transactions only grows, so it orders two
 * readings, even of a lost dispute that is appealed and won.
 */
export function disputeReversal(dispute: DisputeFacts, paidAmount: number): Reversal {
  const { balance_transactions: transactions } = dispute;
  const taken = -transactions.reduce((sum, { amount }) => sum + amount, 0);
  const isInBalance = transactions.every(({ currency }) => currency === CHECKOUT_CURRENCY);
  // In a foreign currency the debited amount is unknown: at most the whole payment.
  const claimed = dispute.currency === CHECKOUT_CURRENCY ? dispute.amount : paidAmount;
  return {
    id: dispute.id,
    kind: "dispute",
    amount: taken > 0 && isInBalance ? taken : claimed,
    state: dispute.status,
    version: transactions.length * STEPS + stepOf(dispute.status),
    isDebited: taken > 0,
  };
}
