import "server-only";

import { query } from "@/lib/platform/db/client";
import { drainInBatches } from "@/lib/platform/db/drain-in-batches";
import { env } from "@/lib/platform/env";

/** Per statement, so that none holds its locks for long. */
const BATCH = 5000;
/** Requests take minutes and document jobs days, so nothing is settled this long after its hold was closed. */
const CLOSED_HOLD_DAYS = 45;

/** Deletes expired usage records and long-closed holds; without its hold, a request can't be charged. The ledger stays. */
export async function deleteExpiredUsage({
  retentionDays = env.USAGE_RETENTION_DAYS,
  batchSize = BATCH,
} = {}): Promise<{ records: number; holds: number }> {
  return {
    records:
      retentionDays === 0
        ? 0
        : await drainInBatches(batchSize, () => sweepRecords(retentionDays, batchSize)),
    holds: await drainInBatches(batchSize, () => sweepHolds(batchSize)),
  };
}

/** Deletes the holds too: a hold without a record looks as if it were still to be settled. */
async function sweepRecords(days: number, limit: number): Promise<number> {
  const [row] = await query<{ count: number }>(
    "billing_sweep_records",
    `WITH mark AS (
       UPDATE retention_watermark SET records_before = greatest(records_before, now() - make_interval(hours => 24 * $1))
         RETURNING now() - make_interval(hours => 24 * $1) AS before
     ), old AS (
       SELECT r.id FROM mark, account a CROSS JOIN LATERAL (
                SELECT u.id FROM usage_record u
                 WHERE u.account_id = a.id AND u.created_at < now() - make_interval(hours => 24 * $1)
                 LIMIT $2) r
        LIMIT $2
     ), gone AS (
       DELETE FROM usage_record u USING old WHERE u.id = old.id RETURNING u.id
     ), holds AS (
       DELETE FROM hold h USING gone WHERE h.id = gone.id AND h.status <> 'open'
     )
     SELECT count(*)::integer AS count FROM gone`,
    [days, limit],
  );
  return row?.count ?? 0;
}

/**
 * A hold without a usage record could still be settled, so its account is locked as settling does. Found by the end
 * of its lease, which is indexed and at most one lease after closing.
 */
async function sweepHolds(limit: number): Promise<number> {
  const [row] = await query<{ count: number }>(
    "billing_sweep_holds",
    `WITH mark AS (
       UPDATE retention_watermark SET holds_before = greatest(holds_before, now() - make_interval(hours => 24 * $1))
     ), old AS (
       SELECT h.id, h.account_id, EXISTS (SELECT 1 FROM usage_record u WHERE u.id = h.id) AS is_recorded
         FROM hold h
        WHERE h.status IN ('settled', 'released')
          AND h.lease_expires_at < now() - make_interval(hours => 24 * $1)
          AND h.closed_at < now() - make_interval(hours => 24 * $1)
        LIMIT $2
     ), locked AS (
       SELECT a.id FROM account a WHERE a.id IN (SELECT o.account_id FROM old o WHERE NOT o.is_recorded)
        ORDER BY a.id FOR NO KEY UPDATE
     ), gone AS (
       DELETE FROM hold h USING old o
        WHERE h.id = o.id AND h.status <> 'open' AND h.closed_at < now() - make_interval(hours => 24 * $1)
          AND (o.is_recorded OR h.account_id IN (SELECT l.id FROM locked l))
        RETURNING h.id
     )
     SELECT count(*)::integer AS count FROM gone`,
    [CLOSED_HOLD_DAYS, limit],
  );
  return row?.count ?? 0;
}
