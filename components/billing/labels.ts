import type { LedgerEntry } from "@/lib/billing/schema";

export const BILLING_PAGE = {
  title: "Billing",
  description: "Requests are paid from your prepaid balance.",
};

/** Labels of the ledger entry kinds. */
export const KIND_LABELS: Record<LedgerEntry["kind"], string> = {
  top_up: "Top-up",
  usage: "Usage",
  grant: "Grant",
  refund: "Refund",
  adjustment: "Adjustment",
};
