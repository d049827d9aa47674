import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Cell, ColumnHead, Row, Table } from "@/components/ui/table";
import { Moment } from "@/components/ui/time";
import { placesOf, Usd } from "@/components/ui/usd";
import { cn } from "@/lib/cn";
import { formatCount } from "@/lib/format-count";
import type { LedgerEntry } from "@/lib/money/billing/schema";
import { EntryName } from "./entry-name";
import { foldUsage, type UsageDay } from "./fold-usage";

/** The account's ledger: a table on wide screens, a list on narrow ones. */
export function LedgerList({ entries }: { entries: LedgerEntry[] }) {
  return (
    <div className="@container">
      <div className="@min-[46rem]:block hidden overflow-clip rounded-lg border bg-surface [--table-top:3rem]">
        <LedgerTable entries={entries} />
      </div>
      <ul
        aria-label="Ledger"
        className="@min-[46rem]:hidden divide-y overflow-hidden rounded-lg border bg-surface"
      >
        {foldUsage(entries).map((row) =>
          "entry" in row ? (
            <LedgerItem key={row.id} entry={row.entry} />
          ) : (
            <UsageDayItem key={row.id} day={row} />
          ),
        )}
      </ul>
    </div>
  );
}

function LedgerTable({ entries }: { entries: LedgerEntry[] }) {
  const places = placesOf(entries.map(({ amount_usd }) => amount_usd));
  const balancePlaces = placesOf(entries.map(({ balance_after_usd }) => balance_after_usd ?? "0"));
  const rows = foldUsage(entries);
  const shared = { places, balancePlaces };
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
        {rows.map((row) =>
          "entry" in row ? (
            <EntryRow key={row.id} entry={row.entry} {...shared} />
          ) : (
            <UsageDayRows key={row.id} day={row} {...shared} />
          ),
        )}
      </tbody>
    </Table>
  );
}

interface Places {
  places: number;
  balancePlaces: number;
}

function EntryRow({ entry, places, balancePlaces }: Places & { entry: LedgerEntry }) {
  return (
    <Row>
      <Cell className="whitespace-nowrap text-muted">
        <Moment value={entry.created_at} />
      </Cell>
      <Cell>
        <EntryName entry={entry} />
      </Cell>
      <Cell className="truncate" title={entry.reference}>
        <Reference entry={entry} />
      </Cell>
      <Cell className="text-right">
        <Amount entry={entry} places={places} />
      </Cell>
      <Cell className="text-right text-muted">
        <BalanceAfter entry={entry} places={balancePlaces} />
      </Cell>
    </Row>
  );
}

/** A day's usage as one row, and its requests below once it is open. */
function UsageDayRows({ day, places, balancePlaces }: Places & { day: UsageDay }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Row>
        <Cell className="whitespace-nowrap text-muted">
          <UtcDay day={day.day} />
        </Cell>
        <Cell className="font-medium">Usage</Cell>
        <Cell>
          <FoldButton day={day} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
        </Cell>
        <Cell className="text-right">
          <Amount entry={day} places={places} />
        </Cell>
        <Cell className="text-right text-muted">
          <BalanceAfter entry={day} places={balancePlaces} />
        </Cell>
      </Row>
      {isOpen &&
        day.entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} places={places} balancePlaces={balancePlaces} />
        ))}
    </>
  );
}

function UsageDayItem({ day }: { day: UsageDay }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 px-3.5 py-3">
        <span className="font-medium">
          Usage, <UtcDay day={day.day} />
        </span>
        <Amount entry={day} />
        <span className="col-span-2">
          <FoldButton day={day} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
        </span>
      </li>
      {isOpen && day.entries.map((entry) => <LedgerItem key={entry.id} entry={entry} />)}
    </>
  );
}

const utcDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

function UtcDay({ day }: { day: string }) {
  return <time dateTime={day}>{utcDay.format(new Date(day))}</time>;
}

interface FoldButtonProps {
  day: UsageDay;
  isOpen: boolean;
  onToggle: () => void;
}

function FoldButton({ day, isOpen, onToggle }: FoldButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="inline-flex min-h-6 items-center gap-1 rounded-sm text-accent"
    >
      <ChevronRight aria-hidden className={cn("size-3.5", isOpen && "rotate-90")} />
      {formatCount(day.entries.length, "request")}
    </button>
  );
}

function Reference({ entry: { request, reference } }: { entry: LedgerEntry }) {
  return request ? (
    <Link
      href={`/usage/${request}`}
      prefetch={false}
      className="rounded-sm font-mono text-accent text-xs underline-offset-4 hover:underline"
    >
      {request}
    </Link>
  ) : (
    <code className="font-mono text-muted text-xs">{reference}</code>
  );
}

type Balanced = Pick<LedgerEntry, "balance_after_usd">;

function BalanceAfter({ entry, places = 0 }: { entry: Balanced; places?: number }) {
  return entry.balance_after_usd === null ? (
    "–"
  ) : (
    <Usd value={entry.balance_after_usd} places={places} />
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
          <BalanceAfter entry={entry} />
        </span>
      </span>
      <span className="col-span-2 flex min-w-0 gap-x-3 text-muted text-xs">
        <span className="shrink-0">
          <Moment value={entry.created_at} />
        </span>
        <span className="min-w-0 truncate" title={entry.reference}>
          <Reference entry={entry} />
        </span>
      </span>
    </li>
  );
}

interface AmountProps {
  entry: Pick<LedgerEntry, "amount_usd">;
  places?: number;
}

function Amount({ entry, places = 0 }: AmountProps) {
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
