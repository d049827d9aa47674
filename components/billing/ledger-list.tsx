import { ExternalLink } from "lucide-react";
import { Cell, ColumnHead, Row, Table } from "@/components/ui/table";
import { Day, Moment } from "@/components/ui/time";
import { formatUsd, placesOf, Usd } from "@/components/ui/usd";
import type { LedgerEntry } from "@/lib/billing/schema";
import { cn } from "@/lib/cn";

const KIND_LABELS: Record<LedgerEntry["kind"], string> = {
  top_up: "Top-up",
  usage: "Usage",
  grant: "Grant",
  refund: "Refund",
  adjustment: "Adjustment",
};

/** The account's ledger: a table on wide screens, a list on narrow ones. */
export function LedgerList({ entries }: { entries: LedgerEntry[] }) {
  return (
    <div className="@container">
      <div className="@min-[46rem]:block hidden overflow-hidden rounded-lg border bg-surface">
        <LedgerTable entries={entries} />
      </div>
      <ul
        aria-label="Ledger"
        className="@min-[46rem]:hidden divide-y overflow-hidden rounded-lg border bg-surface"
      >
        {entries.map((entry) => (
          <LedgerItem key={entry.id} entry={entry} />
        ))}
      </ul>
    </div>
  );
}

function LedgerTable({ entries }: { entries: LedgerEntry[] }) {
  const places = placesOf(entries.map(({ amount_usd }) => amount_usd));
  const balancePlaces = placesOf(entries.map(({ balance_after_usd }) => balance_after_usd));
  return (
    <Table className="table-fixed">
      <caption className="sr-only">Ledger, newest first</caption>
      <thead>
        <tr>
          <ColumnHead className="w-44">Time</ColumnHead>
          <ColumnHead>Entry</ColumnHead>
          <ColumnHead>Reference</ColumnHead>
          <ColumnHead className="w-36 text-right">Amount</ColumnHead>
          <ColumnHead className="w-36 text-right">Balance after</ColumnHead>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Row key={entry.id}>
            <Cell className="whitespace-nowrap text-muted">
              <Moment value={entry.created_at} />
            </Cell>
            <Cell>
              <EntryName entry={entry} />
            </Cell>
            <Cell className="truncate" title={entry.reference}>
              <code className="font-mono text-muted text-xs">{entry.reference}</code>
            </Cell>
            <Cell className="text-right">
              <Amount entry={entry} places={places} />
            </Cell>
            <Cell className="text-right text-muted">
              <Usd value={entry.balance_after_usd} places={balancePlaces} />
            </Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

function LedgerItem({ entry }: { entry: LedgerEntry }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 px-3.5 py-3">
      <EntryName entry={entry} />
      <span className="text-right">
        <Amount entry={entry} />
        <span className="block text-muted text-xs">
          <span className="sr-only">Balance after: </span>
          <Usd value={entry.balance_after_usd} />
        </span>
      </span>
      <span className="col-span-2 flex min-w-0 gap-x-3 text-muted text-xs">
        <span className="shrink-0">
          <Moment value={entry.created_at} />
        </span>
        <code className="truncate font-mono" title={entry.reference}>
          {entry.reference}
        </code>
      </span>
    </li>
  );
}

/** Disputes are entries of the kind `refund`. */
function labelOf({ kind, description }: LedgerEntry): string {
  return kind === "refund" && /^(payment disputed|dispute won)$/i.test(description ?? "")
    ? "Dispute"
    : KIND_LABELS[kind];
}

function EntryName({ entry }: { entry: LedgerEntry }) {
  return (
    <span className="grid min-w-0">
      <span className="font-medium">{labelOf(entry)}</span>
      {entry.description && (
        <span className="truncate text-muted text-xs" title={entry.description}>
          {entry.description}
        </span>
      )}
      {entry.payment && (
        <a
          href={`/billing/receipts/${encodeURIComponent(entry.payment)}`}
          target="_blank"
          rel="noopener"
          className="inline-flex min-h-6 w-fit items-center gap-1 rounded-sm text-accent text-xs"
        >
          <span className="underline underline-offset-4">Receipt</span>
          <span className="sr-only">
            {" "}
            of {formatUsd(entry.amount_usd)}, <Day value={entry.created_at} /> (new tab)
          </span>
          <ExternalLink aria-hidden className="size-3.5 shrink-0" />
        </a>
      )}
    </span>
  );
}

function Amount({ entry, places = 0 }: { entry: LedgerEntry; places?: number }) {
  const isGain = !entry.amount_usd.startsWith("-");
  return (
    <Usd
      value={entry.amount_usd}
      isChange
      places={places}
      className={cn("font-medium", isGain && "text-success")}
    />
  );
}
