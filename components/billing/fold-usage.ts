import { microsToUsd, parseUsd } from "@/lib/money/billing/money";
import type { LedgerEntry } from "@/lib/money/billing/schema";

/** Fewer entries are as short to read as their sum. */
const MIN_FOLDED = 3;

/** A row of the ledger: one entry, or the usage of a day. */
export type LedgerRow = { id: string; entry: LedgerEntry } | UsageDay;

export interface UsageDay {
  id: string;
  /** In UTC, such as `2026-11-30`. */
  day: string;
  entries: LedgerEntry[];
  amount_usd: string;
  /** After the day's last of these entries. */
  balance_after_usd: string | null;
}

/** Newest first: usage entries of one day in a row become one. Entries of other kinds stay where they are. */
export function foldUsage(entries: readonly LedgerEntry[]): LedgerRow[] {
  const runs: LedgerEntry[][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run?.[0] && isSameUsage(run[0], entry)) {
      run.push(entry);
    } else {
      runs.push([entry]);
    }
  }
  return runs.flatMap((run) => (run.length < MIN_FOLDED ? run.map(toRow) : [toUsageDay(run)]));
}

function isSameUsage(first: LedgerEntry, next: LedgerEntry): boolean {
  return first.kind === "usage" && next.kind === "usage" && dayOf(first) === dayOf(next);
}

function toRow(entry: LedgerEntry): LedgerRow {
  return { id: entry.id, entry };
}

function toUsageDay(entries: LedgerEntry[]): UsageDay {
  const [newest] = entries;
  const day = newest ? dayOf(newest) : "";
  const total = entries.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n);
  return {
    // Stays the same as older entries are loaded, so that an open day stays open.
    id: `${day} ${newest?.id}`,
    day,
    entries,
    amount_usd: microsToUsd(total),
    balance_after_usd: newest?.balance_after_usd ?? null,
  };
}

function dayOf({ created_at }: LedgerEntry): string {
  return created_at.slice(0, 10);
}
