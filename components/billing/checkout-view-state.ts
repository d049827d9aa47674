import type { Tone } from "@/components/ui/badge";
import type { CheckoutSession } from "@/lib/billing/schema";
import { AppError } from "@/lib/errors";
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
