import "server-only";

/** What the audit compares. */
export type AuditCheck =
  | "balance"
  | "held"
  | "below_zero"
  | "key_held"
  | "key_spent"
  | "usage"
  | "top_up"
  | "refund";

// Each gives the rows that differ: account_id, subject, expected, found. $1: one account, or null for all.

const MONTH = "date_trunc('month', h.created_at AT TIME ZONE 'UTC')::date";

function of(column: string): string {
  return `($1::text IS NULL OR ${column} = $1)`;
}

const BALANCE = `
  SELECT a.id AS account_id, NULL AS subject, coalesce(e.amount, 0) AS expected, a.balance_micros AS found
    FROM account a
         LEFT JOIN (SELECT account_id, sum(amount_micros) AS amount FROM ledger_entry
                     WHERE ${of("account_id")} GROUP BY account_id) e ON e.account_id = a.id
   WHERE ${of("a.id")} AND a.balance_micros <> coalesce(e.amount, 0)`;

const HELD = `
  SELECT a.id AS account_id, NULL AS subject, coalesce(h.amount, 0) AS expected, a.held_micros AS found
    FROM account a
         LEFT JOIN (SELECT account_id, sum(amount_micros) AS amount FROM hold
                     WHERE status = 'open' AND ${of("account_id")} GROUP BY account_id) h ON h.account_id = a.id
   WHERE ${of("a.id")} AND a.held_micros <> coalesce(h.amount, 0)`;

const BELOW_ZERO = `
  SELECT a.id AS account_id, v.name AS subject, 0 AS expected, v.amount AS found
    FROM account a CROSS JOIN LATERAL (VALUES ('balance', a.balance_micros), ('held', a.held_micros),
                                              ('available', a.balance_micros - a.held_micros)) v (name, amount)
   WHERE ${of("a.id")} AND v.amount < 0`;

const KEY_HELD = `
  SELECT k.account_id, k.id || ' ' || to_char(month, 'YYYY-MM') AS subject,
         coalesce(h.amount, 0) AS expected, coalesce(s.held_micros, 0) AS found
    FROM key_spend s
         FULL JOIN (SELECT h.key_id, ${MONTH} AS month, sum(h.amount_micros) AS amount FROM hold h
                     WHERE h.status = 'open' AND ${of("h.account_id")} GROUP BY 1, 2) h USING (key_id, month)
         JOIN api_key k ON k.id = key_id
   WHERE ${of("k.account_id")} AND coalesce(s.held_micros, 0) <> coalesce(h.amount, 0)`;

/** Only a hold tells the month, so months from which holds or records were swept are left out. */
const KEY_SPENT = `
  SELECT k.account_id, k.id || ' ' || to_char(month, 'YYYY-MM') AS subject,
         coalesce(u.amount, 0) AS expected, coalesce(s.spent_micros, 0) AS found
    FROM key_spend s
         FULL JOIN (SELECT u.key_id, ${MONTH} AS month, sum(u.cost_micros) AS amount
                      FROM usage_record u JOIN hold h ON h.id = u.id AND h.account_id = u.account_id
                     WHERE ${of("u.account_id")} GROUP BY 1, 2) u USING (key_id, month)
         JOIN api_key k ON k.id = key_id
   WHERE ${of("k.account_id")} AND coalesce(s.spent_micros, 0) <> coalesce(u.amount, 0)
     AND month::timestamp AT TIME ZONE 'UTC' >=
         coalesce((SELECT greatest(w.records_before, w.holds_before) FROM retention_watermark w), '-infinity')`;

/** An entry may be without its record only when records of its time were swept. */
const USAGE = `
  SELECT account_id, coalesce(u.id, e.reference) AS subject,
         -coalesce(u.cost_micros, 0) AS expected, coalesce(e.amount_micros, 0) AS found
    FROM (SELECT account_id, reference, amount_micros, created_at FROM ledger_entry
           WHERE kind = 'usage' AND ${of("account_id")}) e
         FULL JOIN (SELECT account_id, id, 'usage:' || id AS reference, cost_micros FROM usage_record
                     WHERE cost_micros <> 0 AND ${of("account_id")}) u USING (account_id, reference)
   WHERE coalesce(-u.cost_micros, 0) <> coalesce(e.amount_micros, 0)
     AND (u.id IS NOT NULL
          OR e.created_at >= coalesce((SELECT w.records_before FROM retention_watermark w), '-infinity'))`;

const TOP_UP = `
  SELECT account_id, reference AS subject,
         coalesce(p.amount_micros, 0) AS expected, coalesce(e.amount_micros, 0) AS found
    FROM (SELECT account_id, 'top_up:' || reference AS reference, amount_micros FROM payment
           WHERE ${of("account_id")}) p
         FULL JOIN (SELECT account_id, reference, amount_micros FROM ledger_entry
                     WHERE kind = 'top_up' AND ${of("account_id")}) e USING (account_id, reference)
   WHERE coalesce(p.amount_micros, 0) <> coalesce(e.amount_micros, 0)`;

const REFUND = `
  SELECT account_id, reference AS subject,
         -coalesce(p.reversed_micros, 0) AS expected, coalesce(e.amount, 0) AS found
    FROM (SELECT account_id, reference, reversed_micros FROM payment WHERE ${of("account_id")}) p
         FULL JOIN (SELECT account_id, coalesce(substring(reference FROM '^refund:(.+):[0-9]+$'), reference)
                           AS reference, sum(amount_micros) AS amount
                      FROM ledger_entry WHERE kind = 'refund' AND ${of("account_id")} GROUP BY 1, 2) e
         USING (account_id, reference)
   WHERE -coalesce(p.reversed_micros, 0) <> coalesce(e.amount, 0)`;

/** In the order they are made. */
export const AUDIT_CHECKS: readonly (readonly [AuditCheck, string])[] = [
  ["balance", BALANCE],
  ["held", HELD],
  ["below_zero", BELOW_ZERO],
  ["key_held", KEY_HELD],
  ["key_spent", KEY_SPENT],
  ["usage", USAGE],
  ["top_up", TOP_UP],
  ["refund", REFUND],
];
