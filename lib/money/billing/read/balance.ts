import "server-only";

import { AppError } from "@/lib/errors";
import type { Context, MemberContext } from "@/lib/platform/auth/context";
import { findOwnRole } from "@/lib/platform/auth/read";
import { db, query } from "@/lib/platform/db/client";
import { exportCsv } from "@/lib/platform/http/csv-export";
import { toListPage } from "@/lib/platform/http/list-page";
import { canMail } from "@/lib/platform/mail";
import { type Micros, microsToUsd } from "../money";
import {
  type Credits,
  LedgerEntry,
  type LedgerPage,
  type ListLedger,
  type LowBalance,
} from "../schema";

export async function getCredits(ctx: Context): Promise<Credits> {
  const [account, outstanding] = await Promise.all([
    db().account.findFirstOrThrow({
      where: { id: ctx.account.id },
      select: { balanceMicros: true, heldMicros: true, updatedAt: true },
    }),
    getOutstanding(ctx.account.id),
  ]);
  return {
    object: "billing.credits",
    currency: "usd",
    balance_usd: microsToUsd(account.balanceMicros),
    held_usd: microsToUsd(account.heldMicros),
    available_usd: microsToUsd(account.balanceMicros - account.heldMicros),
    outstanding_usd: microsToUsd(outstanding.amount),
    outstanding_reason: outstanding.reason,
    updated_at: account.updatedAt.toISOString(),
  };
}

export interface Outstanding {
  amount: Micros;
  reason: Credits["outstanding_reason"];
}

/** What refunds and disputes of an account's payments have not debited yet, for lack of funds. */
export async function getOutstanding(accountId: string): Promise<Outstanding> {
  const [row] = await query<{ amount: Micros; disputed: Micros }>(
    "billing_get_outstanding",
    `SELECT coalesce(sum(d.due), 0)::bigint AS amount,
            coalesce(sum(least(d.due, greatest(0, d.expected_disputed_micros - d.disputed_micros))), 0)::bigint AS disputed
       FROM (SELECT expected_micros - reversed_micros AS due, expected_disputed_micros, disputed_micros
               FROM payment_reversal_total WHERE account_id = $1 AND expected_micros > reversed_micros) d`,
    [accountId],
  );
  const { amount = 0n, disputed = 0n } = row ?? {};
  const isRefund = amount > disputed ? "refund" : null;
  const isBoth = isRefund && disputed > 0n ? "refund_and_dispute" : null;
  return { amount, reason: isBoth ?? isRefund ?? (disputed > 0n ? "dispute" : null) };
}

type EntryRow = Pick<LedgerEntry, "id" | "kind" | "description" | "reference"> & {
  amount_micros: Micros;
  balance_after: Micros | null;
  created_at: Date;
};

const KINDS = {
  usage: "AND l.kind = 'usage'",
  payments: "AND l.kind <> 'usage'",
};

/** The account's ledger, newest first, with the balance after each entry unless it is filtered. */
export async function listLedger(ctx: Context, input: ListLedger): Promise<LedgerPage> {
  const { kind, after = null, limit } = input;
  const rows = await query<EntryRow>(
    `billing_list_ledger_${kind ?? "all"}`,
    // Computed back from the balance, so that a page reads no older entries.
    `SELECT e.id, e.kind, e.amount_micros, e.description, e.reference, e.created_at,
            ${
              kind
                ? "NULL::bigint"
                : `(a.balance_micros - newer.amount
             - sum(e.amount_micros) OVER (ORDER BY e.id DESC) + e.amount_micros)::bigint`
            } AS balance_after
       FROM account a
            CROSS JOIN LATERAL (SELECT coalesce(sum(n.amount_micros), 0) AS amount FROM ledger_entry n
                                 WHERE n.account_id = a.id AND n.id >= $2) AS newer
            CROSS JOIN LATERAL (SELECT * FROM ledger_entry l
                                 WHERE l.account_id = a.id AND ($2::text IS NULL OR l.id < $2)
                                       ${kind ? KINDS[kind] : ""}
                                 ORDER BY l.id DESC LIMIT $3) AS e
      WHERE a.id = $1 ORDER BY e.id DESC`,
    [ctx.account.id, after, limit + 1],
  );
  return toListPage(rows, limit, toEntry);
}

function toEntry({ amount_micros, balance_after, created_at, ...entry }: EntryRow): LedgerEntry {
  return {
    ...entry,
    amount_usd: microsToUsd(amount_micros),
    balance_after_usd: balance_after === null ? null : microsToUsd(balance_after),
    // How sync_checkout_session names the entry of a payment.
    payment: /^top_up:(.+)$/.exec(entry.reference)?.[1] ?? null,
    request: /^usage:(req_.+)$/.exec(entry.reference)?.[1] ?? null,
    created_at: created_at.toISOString(),
  };
}

/** About ten megabytes of text. */
const MAX_EXPORTED = 100_000;

/** The account's ledger as CSV, newest first, up to 100,000 entries. */
export function exportLedger(
  ctx: Context,
  { kind }: Pick<ListLedger, "kind">,
): AsyncGenerator<string> {
  return exportCsv({
    columns: Object.keys(LedgerEntry.shape),
    maxRows: MAX_EXPORTED,
    signal: ctx.signal,
    readPage: (bounds) => listLedger(ctx, { kind, ...bounds }),
  });
}

/** The low-balance alert. Throws missing_session once the member is gone. */
export async function getLowBalance(ctx: MemberContext): Promise<LowBalance> {
  const [{ lowBalanceMicros: threshold }, role] = await Promise.all([
    db().account.findFirstOrThrow({
      where: { id: ctx.account.id },
      select: { lowBalanceMicros: true },
    }),
    findOwnRole(ctx),
  ]);
  if (!role) {
    throw new AppError("missing_session", "You are not signed in. Sign in and try again.");
  }
  return {
    object: "billing.low_balance",
    threshold_usd: threshold === null ? null : microsToUsd(threshold),
    can_change: role === "owner",
    can_mail: canMail(),
  };
}

/** The key whose request placed a hold. */
export async function findKeyOfHold(accountId: string, id: string): Promise<string | null> {
  const hold = await db().hold.findFirst({ where: { id, accountId }, select: { keyId: true } });
  return hold?.keyId ?? null;
}

/** Open holds of all accounts. */
export async function countOpenHolds(): Promise<number> {
  const [row] = await query<{ count: number }>(
    "billing_count_open_holds",
    "SELECT count(*)::int AS count FROM hold WHERE status = 'open'",
  );
  return row?.count ?? 0;
}

/** Whether the account paid for the request. */
export async function wasCharged(accountId: string, requestId: string): Promise<boolean> {
  const charges = await query(
    "billing_was_charged",
    "SELECT 1 FROM ledger_entry WHERE account_id = $1 AND reference = 'usage:' || $2::text",
    [accountId, requestId],
  );
  return charges.length > 0;
}
