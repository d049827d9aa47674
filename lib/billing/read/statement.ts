import "server-only";

import type { Context } from "@/lib/auth/context";
import { getAccountName } from "@/lib/auth/read";
import { query } from "@/lib/db/client";
import { AppError } from "@/lib/errors";
import type { Micros } from "../money";
import type { LedgerEntry } from "../schema";

/** What moved an account's balance in a calendar month (UTC). */
export interface Statement {
  account: { id: string; name: string };
  /** Such as `2026-11`. */
  month: string;
  /** Whether the month is still running. */
  isOpen: boolean;
  opening: Micros;
  closing: Micros;
  /** Sums by kind of entry, and how many entries each has. */
  movements: { kind: LedgerEntry["kind"]; entries: number; amount: Micros }[];
  /** What usage was of, the most expensive first. Less than the ledger's usage once old records are deleted. */
  usage: { kind: string; model: string | null; requests: number; amount: Micros }[];
  /** Top-ups, grants, refunds and adjustments, oldest first. */
  payments: { at: Date; kind: LedgerEntry["kind"]; reference: string; amount: Micros }[];
}

const MAX_PAYMENTS = 500;

interface MovementRow extends Record<string, unknown> {
  kind: LedgerEntry["kind"];
  entries: number;
  amount: Micros;
  later: Micros;
}

/** Throws not_found for a month that hasn't begun. */
export async function getStatement(ctx: Context, month: string): Promise<Statement> {
  const from = `${month}-01`;
  if (Date.parse(from) > Date.now()) {
    throw new AppError("not_found", `${month} hasn't begun. Choose an earlier month.`);
  }
  const range = [ctx.account.id, from];
  const [name, rows, balance, usage, payments] = await Promise.all([
    getAccountName(ctx.account.id),
    query<MovementRow>("billing_statement_movements", MOVEMENTS, range),
    query<{ balance: Micros }>(
      "billing_statement_balance",
      "SELECT balance_micros AS balance FROM account WHERE id = $1",
      [ctx.account.id],
    ),
    query<Statement["usage"][number] & Record<string, unknown>>(
      "billing_statement_usage",
      USAGE,
      range,
    ),
    query<Statement["payments"][number] & Record<string, unknown>>(
      "billing_statement_payments",
      PAYMENTS,
      range,
    ),
  ]);
  const sum = (column: "amount" | "later") => rows.reduce((total, row) => total + row[column], 0n);
  const closing = (balance[0]?.balance ?? 0n) - sum("later");
  return {
    account: { id: ctx.account.id, name },
    month,
    isOpen: new Date().toISOString().startsWith(month),
    opening: closing - sum("amount"),
    closing,
    movements: rows
      .filter(({ entries }) => entries > 0)
      .map(({ kind, entries, amount }) => ({ kind, entries, amount })),
    usage,
    payments,
  };
}

const FROM = "$2::text::date::timestamp AT TIME ZONE 'UTC'";
const TO = "($2::text::date + interval '1 month')::timestamp AT TIME ZONE 'UTC'";

const MOVEMENTS = `
  SELECT kind, (count(*) FILTER (WHERE created_at < ${TO}))::int AS entries,
         coalesce(sum(amount_micros) FILTER (WHERE created_at < ${TO}), 0)::bigint AS amount,
         coalesce(sum(amount_micros) FILTER (WHERE created_at >= ${TO}), 0)::bigint AS later
    FROM ledger_entry WHERE account_id = $1 AND created_at >= ${FROM} GROUP BY kind ORDER BY kind`;

const USAGE = `
  SELECT kind, model, count(*)::int AS requests, sum(cost_micros)::bigint AS amount
    FROM usage_record WHERE account_id = $1 AND created_at >= ${FROM} AND created_at < ${TO}
   GROUP BY kind, model HAVING sum(cost_micros) > 0 ORDER BY amount DESC, kind, model`;

const PAYMENTS = `
  SELECT created_at AS at, kind, reference, amount_micros AS amount
    FROM ledger_entry
   WHERE account_id = $1 AND kind <> 'usage' AND created_at >= ${FROM} AND created_at < ${TO}
   ORDER BY id LIMIT ${MAX_PAYMENTS}`;
