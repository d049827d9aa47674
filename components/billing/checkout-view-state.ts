import type { Tone } from "@/components/ui/badge";
import { AppError } from "@/lib/errors";
import { centsToMicros } from "@/lib/money/billing/checkout";
import { microsToUsd, parseUsd } from "@/lib/money/billing/money";
import type { CheckoutSession, LedgerEntry } from "@/lib/money/billing/schema";
import { formatCents } from "./amount";

export interface CheckoutOutcome {
  session: CheckoutSession | undefined;
  error: Error | null;
  /** Whether the user came back through the provider's cancel link. */
  isCancelled: boolean;
}

export type CheckoutViewKind = keyof typeof VIEW_STATES;

const NOTHING_CHARGED = "You weren’t charged.";

export function toCheckoutViewState(outcome: CheckoutOutcome) {
  const kind = kindOf(outcome);
  return { kind, ...VIEW_STATES[kind](outcome.session ? formatCents(outcome.session.amount) : "") };
}

/** Whether the provider may still report a change. */
export function isUnsettled(session: CheckoutSession | undefined, isCancelled: boolean): boolean {
  return session?.status === "processing" || (session?.status === "open" && !isCancelled);
}

/**
 * What the newest top-up of this many cents paid for at once: refunds and disputes of earlier payments that were outstanding.
 * Null when nothing was. `entries`: the newest of the ledger.
 */
export function findCollected(cents: number, entries: readonly LedgerEntry[]): string | null {
  const paid = centsToMicros(cents);
  const topUp = entries.find(
    ({ kind, amount_usd }) => kind === "top_up" && parseUsd(amount_usd) === paid,
  );
  // Written in one transaction, so at the same time.
  const collected = entries
    .filter(({ kind, created_at }) => kind === "refund" && created_at === topUp?.created_at)
    .filter(({ reference }) => !reference.startsWith(`refund:${topUp?.payment}:`))
    .reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd.replace("-", "")), 0n);
  return collected > 0n ? microsToUsd(collected) : null;
}

function kindOf({ session, error, isCancelled }: CheckoutOutcome): CheckoutViewKind {
  if (!session) {
    const isUnknown = error instanceof AppError && (error.status === 404 || error.status === 400);
    const failure = isUnknown ? "unknown" : "unreadable";
    return error ? failure : "checking";
  }
  if (session.status !== "open") {
    return session.status;
  }
  return isCancelled ? "cancelled" : "processing";
}

const VIEW_STATES = {
  checking: () => ({
    tone: "neutral",
    title: "Checking your payment",
    text: "This only takes a moment.",
  }),
  paid: (amount) => ({
    tone: "success",
    title: `${amount} added`,
    text: "Your payment was received.",
  }),
  processing: (amount) => ({
    tone: "warning",
    title: `Your payment of ${amount} is being processed`,
    text: "Cards take seconds. Bank debits can take several business days. Your balance updates when the payment is confirmed, even if you close this page.",
  }),
  cancelled: () => ({
    tone: "neutral",
    title: "Checkout canceled",
    text: NOTHING_CHARGED,
  }),
  failed: (amount) => ({
    tone: "danger",
    title: `Your payment of ${amount} failed`,
    text: `${NOTHING_CHARGED} Try again or use another payment method.`,
  }),
  expired: () => ({
    tone: "neutral",
    title: "This checkout has expired",
    text: `${NOTHING_CHARGED} Start a new one to add funds.`,
  }),
  unknown: () => ({
    tone: "neutral",
    title: "Checkout not found",
    text: "If you paid, sign in to the account you paid for to see the payment.",
  }),
  unreadable: () => ({
    tone: "danger",
    title: "We couldn’t check your payment",
    text: "If you paid, your balance will update automatically. Try again in a moment.",
  }),
} satisfies Record<string, (amount: string) => { tone: Tone; title: string; text: string }>;
