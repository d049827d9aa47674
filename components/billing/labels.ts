import type { LedgerEntry } from "@/lib/billing/schema";

export const BILLING_PAGE = {
  title: "Billing",
  description: "Requests are paid from your prepaid balance.",
};

export const ENTRY_NOUN = { one: "entry", many: "entries" };

/** Labels of the ledger entry kinds. */
export const KIND_LABELS: Record<LedgerEntry["kind"], string> = {
  top_up: "Top-up",
  usage: "Usage",
  grant: "Grant",
  refund: "Refund",
  adjustment: "Adjustment",
};

export const NO_ENTRIES = {
  title: "No entries yet",
  description: "Top-ups, charges and refunds appear here.",
};

export const NO_PAYMENTS =
  "Payments aren’t set up on this server. Ask its operator to connect Stripe or grant you credit.";

/** Describes the low-balance email; `amount` is formatted, or null when it is off. */
export function formatLowBalance(amount: string | null): string {
  return amount === null
    ? "Off. Turn it on to email owners before requests start failing."
    : `Owners get one email each time the balance drops below ${amount}.`;
}
