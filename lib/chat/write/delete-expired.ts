import "server-only";

import { query, type Session } from "@/lib/db/client";
import { drainInBatches } from "@/lib/db/drain-in-batches";
import { env } from "@/lib/env";

/** One statement's share; an answer with its messages may be megabytes. */
const BATCH = 500;

/** Deletes stored answers that are older than the retention, in batches. Returns how many; 0 days keeps all. */
export async function deleteExpiredCompletions({
  retentionDays = env.STORED_ANSWER_RETENTION_DAYS,
  batchSize = BATCH,
} = {}): Promise<number> {
  if (retentionDays === 0) {
    return 0;
  }
  return drainInBatches(batchSize, async () => {
    const [row] = await query<{ count: number }>(
      "chat_delete_expired",
      `WITH gone AS (
         DELETE FROM stored_completion WHERE id IN (
           SELECT id FROM stored_completion WHERE created_at < now() - make_interval(hours => 24 * $1) LIMIT $2)
         RETURNING id
       )
       SELECT count(*)::integer AS count FROM gone`,
      [retentionDays, batchSize],
    );
    return row?.count ?? 0;
  });
}

export async function purgeAccountCompletions(tx: Session, accountId: string): Promise<void> {
  await tx.query("chat_purge_account", "DELETE FROM stored_completion WHERE account_id = $1", [
    accountId,
  ]);
}
