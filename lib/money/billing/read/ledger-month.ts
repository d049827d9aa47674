import "server-only";

import { notFound } from "@/lib/errors";
import { lowestId } from "@/lib/id";
import type { Context } from "@/lib/platform/auth/context";
import { query } from "@/lib/platform/db/client";
import { type Micros, parseUsd } from "../money";
import type { LedgerEntry } from "../schema";
import { getCredits } from "./balance";

/** What moved an account's balance in a calendar month (UTC). */
export interface LedgerMonth {
  /** Such as `2026-11`. */
  month: string;
  /** Whether the month is still running. */
  isOpen: boolean;
  opening: Micros;
  closing: Micros;
  /** Sums by kind of entry, and how many entries each has. */
  movements: { kind: LedgerEntry["kind"]; entries: number; amount: Micros }[];
  /** Top-ups, grants, refunds and adjustments, oldest first. */
  payments: { at: Date; kind: LedgerEntry["kind"]; reference: string; amount: Micros }[];
}

const MAX_PAYMENTS = 500;
const CLOCKS_MS = 60 * 60 * 1000;

interface MovementRow extends Record<string, unknown> {
  kind: LedgerEntry["kind"];
  entries: number;
  amount: Micros;
  later: Micros;
}

/** Throws not_found for a month that hasn't begun. */
export async function getLedgerMonth(ctx: Context, month: string): Promise<LedgerMonth> {
  const from = `${month}-01`;
  if (Date.parse(from) > Date.now()) {
    throw notFound(`${month} hasn't begun. Choose an earlier month.`);
  }
  // The primary key leads to the month; clocks of servers may differ from the database's.
  const range = [
    ctx.account.id,
    from,
    lowestId("ledgerEntry", new Date(Date.parse(from) - CLOCKS_MS)),
  ];
  const [credits, rows, payments] = await Promise.all([
    getCredits(ctx),
    query<MovementRow>("billing_month_movements", MOVEMENTS, range),
    query<LedgerMonth["payments"][number] & Record<string, unknown>>(
      "billing_month_payments",
      PAYMENTS,
      range,
    ),
  ]);
  const sum = (column: "amount" | "later") => rows.reduce((total, row) => total + row[column], 0n);
  const closing = parseUsd(credits.balance_usd) - sum("later");
  return {
    month,
    isOpen: new Date().toISOString().startsWith(month),
    opening: closing - sum("amount"),
    closing,
    movements: rows
      .filter(({ entries }) => entries > 0)
      .map(({ kind, entries, amount }) => ({ kind, entries, amount })),
    payments,
  };
}

const FROM = "$2::text::date::timestamp AT TIME ZONE 'UTC'";
const TO = "($2::text::date + interval '1 month')::timestamp AT TIME ZONE 'UTC'";

const MOVEMENTS = `
  SELECT kind, (count(*) FILTER (WHERE created_at < ${TO}))::int AS entries,
         coalesce(sum(amount_micros) FILTER (WHERE created_at < ${TO}), 0)::bigint AS amount,
         coalesce(sum(amount_micros) FILTER (WHERE created_at >= ${TO}), 0)::bigint AS later
    FROM ledger_entry WHERE account_id = $1 AND id >= $3 AND created_at >= ${FROM} GROUP BY kind ORDER BY kind`;

const PAYMENTS = `
  SELECT created_at AS at, kind, reference, amount_micros AS amount
    FROM ledger_entry
   WHERE account_id = $1 AND id >= $3 AND kind <> 'usage' AND created_at >= ${FROM} AND created_at < ${TO}
   ORDER BY id LIMIT ${MAX_PAYMENTS}`;
