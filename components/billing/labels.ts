import type { LedgerEntry } from "@/lib/billing/schema";

export const BILLING_PAGE = {
  title: "Billing",
  description: "Requests draw on a prepaid balance. Add funds before it runs out.",
};

export const ENTRY_NOUN = { one: "entry", many: "entries" };

/** What each kind of ledger entry is called. */
export const KIND_LABELS: Record<LedgerEntry["kind"], string> = {
  top_up: "Top-up",
  usage: "Usage",
  grant: "Grant",
  refund: "Refund",
  adjustment: "Adjustment",
};

export const NO_ENTRIES = {
  title: "No entries yet",
  description: "Every top-up, charge and refund of this account is listed here.",
};

export const NO_PAYMENTS =
  "This server takes no payments yet. Ask whoever runs it to set up Stripe, or for a grant.";

/** What is said of the e-mail that owners get; the amount is for reading, null when it is off. */
export function formatLowBalance(amount: string | null): string {
  return amount === null
    ? "Off. Owners of the account can be told before requests are refused."
    : `Owners of the account are told once each time the balance falls below ${amount}.`;
}
