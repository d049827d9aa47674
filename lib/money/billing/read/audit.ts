import "server-only";

import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import { query, type Session, transaction } from "@/lib/platform/db/client";
import type { Micros } from "../money";

/** Rows in memory at a time. */
const FETCHED = 500;

export interface AuditDifference {
  check: keyof typeof AUDIT_CHECKS;
  accountId: string;
  /** The key and month, request or payment; null for the account as a whole. */
  subject: string | null;
  expected: Micros;
  found: Micros;
}

export interface AuditResult {
  /** Zero when there is no account of that id. */
  accounts: number;
  entries: number;
  differences: number;
}

/** Recomputes all money of an account, or of all for null, in one snapshot; reports each difference. Requests can go on. */
export function audit(
  options: { accountId: string | null },
  report: (difference: AuditDifference) => void,
): Promise<AuditResult> {
  return transaction(async (tx) => {
    // Every row is read; a server would plan a cursor for the first tenth.
    await tx.exec(`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
                   SET LOCAL cursor_tuple_fraction = 1`);
    return auditWithin(tx, options, report);
  });
}

/** As `audit`, in the caller's transaction, which must read one snapshot. */
export async function auditWithin(
  tx: Session,
  { accountId }: { accountId: string | null },
  report: (difference: AuditDifference) => void,
): Promise<AuditResult> {
  let differences = 0;
  for (const [check, statement] of Object.entries(AUDIT_CHECKS)) {
    for await (const row of readAll(tx, statement, accountId)) {
      differences += 1;
      report({ check: check as AuditDifference["check"], ...row });
    }
  }
  const { rows } = await tx.execute(
    `SELECT (SELECT count(*) FROM account WHERE CASE WHEN $1::text IS NULL THEN id <> $2 ELSE id = $1 END) AS accounts,
            (SELECT count(*) FROM ledger_entry WHERE $1::text IS NULL OR account_id = $1) AS entries`,
    [accountId, PUBLIC_ACCOUNT_ID],
  );
  const [counts] = rows;
  return { accounts: Number(counts?.accounts), entries: Number(counts?.entries), differences };
}

/** How many requests cost more than could be charged, and by how much: recorded, so no difference. */
export async function sumShortfalls({
  accountId,
}: {
  accountId: string | null;
}): Promise<{ requests: number; amount: Micros }> {
  const [row] = await query<{ requests: number; amount: Micros }>(
    "billing_sum_shortfalls",
    `SELECT count(*)::integer AS requests, coalesce(sum(shortfall_micros), 0)::bigint AS amount FROM usage_record
      WHERE shortfall_micros > 0 AND ($1::text IS NULL OR account_id = $1)`,
    [accountId],
  );
  return row ?? { requests: 0, amount: 0n };
}

async function* readAll(tx: Session, statement: string, accountId: string | null) {
  await tx.execute(`DECLARE audit NO SCROLL CURSOR FOR ${statement}`, [accountId]);
  for (;;) {
    const { rows } = await tx.execute(`FETCH ${FETCHED} FROM audit`);
    yield* rows.map(toFound);
    if (rows.length < FETCHED) {
      break;
    }
  }
  await tx.exec("CLOSE audit");
}

/** Sums are numeric, which the drivers give as text, and amounts int8. */
function toFound(row: Record<string, unknown>): Omit<AuditDifference, "check"> {
  return {
    accountId: String(row.account_id),
    subject: row.subject === null ? null : String(row.subject),
    expected: BigInt(String(row.expected)),
    found: BigInt(String(row.found)),
  };
}

const MONTH = "date_trunc('month', h.created_at AT TIME ZONE 'UTC')::date";

function of(column: string): string {
  return `($1::text IS NULL OR ${column} = $1)`;
}

/** Each selects the rows that differ: account_id, subject, expected, found. $1: one account, or null for all. */
const AUDIT_CHECKS = {
  balance: `
  SELECT a.id AS account_id, NULL AS subject, coalesce(e.amount, 0) AS expected, a.balance_micros AS found
    FROM account a
         LEFT JOIN (SELECT account_id, sum(amount_micros) AS amount FROM ledger_entry
                     WHERE ${of("account_id")} GROUP BY account_id) e ON e.account_id = a.id
   WHERE ${of("a.id")} AND a.balance_micros <> coalesce(e.amount, 0)`,
  held: `
  SELECT a.id AS account_id, NULL AS subject, coalesce(h.amount, 0) AS expected, a.held_micros AS found
    FROM account a
         LEFT JOIN (SELECT account_id, sum(amount_micros) AS amount FROM hold
                     WHERE status = 'open' AND ${of("account_id")} GROUP BY account_id) h ON h.account_id = a.id
   WHERE ${of("a.id")} AND a.held_micros <> coalesce(h.amount, 0)`,
  below_zero: `
  SELECT a.id AS account_id, v.name AS subject, 0 AS expected, v.amount AS found
    FROM account a CROSS JOIN LATERAL (VALUES ('balance', a.balance_micros), ('held', a.held_micros),
                                              ('available', a.balance_micros - a.held_micros)) v (name, amount)
   WHERE ${of("a.id")} AND v.amount < 0`,
  key_held: `
  SELECT k.account_id, k.id || ' ' || to_char(month, 'YYYY-MM') AS subject,
         coalesce(h.amount, 0) AS expected, coalesce(s.held_micros, 0) AS found
    FROM key_spend s
         FULL JOIN (SELECT h.key_id, ${MONTH} AS month, sum(h.amount_micros) AS amount FROM hold h
                     WHERE h.status = 'open' AND ${of("h.account_id")} GROUP BY 1, 2) h USING (key_id, month)
         JOIN api_key k ON k.id = key_id
   WHERE ${of("k.account_id")} AND coalesce(s.held_micros, 0) <> coalesce(h.amount, 0)`,
  // The month comes from the hold, so months with deleted holds or records are left out.
  key_spent: `
  SELECT k.account_id, k.id || ' ' || to_char(month, 'YYYY-MM') AS subject,
         coalesce(u.amount, 0) AS expected, coalesce(s.spent_micros, 0) AS found
    FROM key_spend s
         FULL JOIN (SELECT u.key_id, ${MONTH} AS month, sum(u.cost_micros) AS amount
                      FROM usage_record u JOIN hold h ON h.id = u.id AND h.account_id = u.account_id
                     WHERE ${of("u.account_id")} GROUP BY 1, 2) u USING (key_id, month)
         JOIN api_key k ON k.id = key_id
   WHERE ${of("k.account_id")} AND coalesce(s.spent_micros, 0) <> coalesce(u.amount, 0)
     AND month::timestamp AT TIME ZONE 'UTC' >=
         coalesce((SELECT greatest(w.records_before, w.holds_before) FROM retention_watermark w), '-infinity')`,
  // An entry may lack its record only when records of its time were deleted.
  usage: `
  SELECT account_id, coalesce(u.id, e.reference) AS subject,
         -coalesce(u.cost_micros, 0) AS expected, coalesce(e.amount_micros, 0) AS found
    FROM (SELECT account_id, reference, amount_micros, created_at FROM ledger_entry
           WHERE kind = 'usage' AND ${of("account_id")}) e
         FULL JOIN (SELECT account_id, id, 'usage:' || id AS reference, cost_micros FROM usage_record
                     WHERE cost_micros <> 0 AND ${of("account_id")}) u USING (account_id, reference)
   WHERE coalesce(-u.cost_micros, 0) <> coalesce(e.amount_micros, 0)
     AND (u.id IS NOT NULL
          OR e.created_at >= coalesce((SELECT w.records_before FROM retention_watermark w), '-infinity'))`,
  top_up: `
  SELECT account_id, reference AS subject,
         coalesce(p.amount_micros, 0) AS expected, coalesce(e.amount_micros, 0) AS found
    FROM (SELECT account_id, 'top_up:' || reference AS reference, amount_micros FROM payment
           WHERE ${of("account_id")}) p
         FULL JOIN (SELECT account_id, reference, amount_micros FROM ledger_entry
                     WHERE kind = 'top_up' AND ${of("account_id")}) e USING (account_id, reference)
   WHERE coalesce(p.amount_micros, 0) <> coalesce(e.amount_micros, 0)`,
  refund: `
  SELECT account_id, reference AS subject,
         -coalesce(p.reversed_micros, 0) AS expected, coalesce(e.amount, 0) AS found
    FROM (SELECT account_id, reference, reversed_micros FROM payment WHERE ${of("account_id")}) p
         FULL JOIN (SELECT account_id, coalesce(substring(reference FROM '^refund:(.+):[0-9]+$'), reference)
                           AS reference, sum(amount_micros) AS amount
                      FROM ledger_entry WHERE kind = 'refund' AND ${of("account_id")} GROUP BY 1, 2) e
         USING (account_id, reference)
   WHERE -coalesce(p.reversed_micros, 0) <> coalesce(e.amount, 0)`,
};
