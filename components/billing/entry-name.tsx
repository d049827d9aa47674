import { ExternalLink } from "lucide-react";
import { createContext, useContext } from "react";
import { Day } from "@/components/ui/time";
import { formatUsd } from "@/components/ui/usd";
import type { LedgerEntry } from "@/lib/money/billing/schema";

const KIND_LABELS: Record<LedgerEntry["kind"], string> = {
  top_up: "Top-up",
  usage: "Usage",
  grant: "Grant",
  refund: "Refund",
  adjustment: "Adjustment",
};

/** Disputes are entries of the kind `refund`. */
function labelOf({ kind, description }: LedgerEntry): string {
  return kind === "refund" && /^(payment disputed|dispute won)$/i.test(description ?? "")
    ? "Dispute"
    : KIND_LABELS[kind];
}

/** Whether the provider makes an invoice for each payment. */
export const InvoicesContext = createContext(false);

export function EntryName({ entry }: { entry: LedgerEntry }) {
  const hasInvoices = useContext(InvoicesContext);
  return (
    <span className="grid min-w-0">
      <span className="font-medium">{labelOf(entry)}</span>
      {entry.description && (
        <span className="truncate text-muted text-xs" title={entry.description}>
          {entry.description}
        </span>
      )}
      {entry.payment && (
        <span className="flex flex-wrap gap-x-3">
          <PaperLink entry={entry} name="Receipt" address={`${RECEIPTS}/${entry.payment}`} />
          {hasInvoices && (
            <PaperLink
              entry={entry}
              name="Invoice"
              address={`${RECEIPTS}/${entry.payment}?invoice=1`}
            />
          )}
        </span>
      )}
    </span>
  );
}

const RECEIPTS = "/billing/receipts";

interface PaperLinkProps {
  entry: LedgerEntry;
  name: string;
  address: string;
}

/** What the payment provider has about a top-up. */
function PaperLink({ entry, name, address }: PaperLinkProps) {
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener"
      className="inline-flex min-h-6 w-fit items-center gap-1 rounded-sm text-accent text-xs"
    >
      <span className="underline underline-offset-4">{name}</span>
      <span className="sr-only">
        {" "}
        of {formatUsd(entry.amount_usd)}, <Day value={entry.created_at} /> (new tab)
      </span>
      <ExternalLink aria-hidden className="size-3.5 shrink-0" />
    </a>
  );
}
