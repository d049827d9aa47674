import "server-only";

import type { Context } from "@/lib/auth/context";
import { query } from "@/lib/db/client";
import { toListPage } from "@/lib/http/list-page";
import { type Micros, microsToUsd } from "../money";
import type { LedgerEntry, LedgerPage, ListLedger } from "../schema";

interface EntryRow extends Record<string, unknown> {
  id: string;
  kind: LedgerEntry["kind"];
  amount_micros: Micros;
  balance_after: Micros;
  description: string | null;
  reference: string;
  created_at: Date;
}

/** How sync_checkout_session names the entry of a payment. */
const PAYMENT_ENTRY = /^top_up:(.+)$/;

/** The account's ledger, newest first, with the balance that each entry left. */
export async function listLedger(ctx: Context, input: ListLedger): Promise<LedgerPage> {
  // Reckoned back from the balance, so that a page reads no entry that is older than its own.
  const rows = await query<EntryRow>(
    "billing_list_ledger",
    `SELECT e.id, e.kind, e.amount_micros, e.description, e.reference, e.created_at,
            (a.balance_micros - newer.amount
             - sum(e.amount_micros) OVER (ORDER BY e.id DESC) + e.amount_micros)::bigint AS balance_after
       FROM account a
            CROSS JOIN LATERAL (SELECT coalesce(sum(n.amount_micros), 0) AS amount FROM ledger_entry n
                                 WHERE n.account_id = a.id AND n.id >= $2) AS newer
            CROSS JOIN LATERAL (SELECT * FROM ledger_entry l
                                 WHERE l.account_id = a.id AND ($2::text IS NULL OR l.id < $2)
                                 ORDER BY l.id DESC LIMIT $3) AS e
      WHERE a.id = $1 ORDER BY e.id DESC`,
    [ctx.account.id, input.after ?? null, input.limit + 1],
  );
  return toListPage(rows, input.limit, toEntry);
}

function toEntry(row: EntryRow): LedgerEntry {
  return {
    id: row.id,
    kind: row.kind,
    amount_usd: microsToUsd(row.amount_micros),
    balance_after_usd: microsToUsd(row.balance_after),
    description: row.description,
    reference: row.reference,
    payment: PAYMENT_ENTRY.exec(row.reference)?.[1] ?? null,
    created_at: row.created_at.toISOString(),
  };
}
