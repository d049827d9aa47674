import "server-only";

import { BATCH_TIMEOUT_MS, Batcher } from "@/lib/db/batcher";
import { queryWithin } from "@/lib/db/client";
import { processSingleton } from "@/lib/singleton";

/**
 * Part of a statement that moves money: it is over before its commit is on disk, and so lets go of the
 * account's row for the next one. `waitForWalFlush` waits for the disk.
 */
export const ASYNC_COMMIT =
  "(SELECT set_config('synchronous_commit', 'off', true)) AS commit (mode)";

const flushes = processSingleton("WAL flushes", () => new Batcher<null, null>(flush));

/**
 * Resolves when all that this process committed before is on disk, and with its synchronous standbys: the log
 * is written in order, so one small commit that waits is enough for all that were waited for together.
 */
export async function waitForWalFlush(): Promise<void> {
  await flushes.run("flush", null);
}

async function flush(_lane: string, items: readonly null[]): Promise<null[]> {
  await queryWithin(
    BATCH_TIMEOUT_MS,
    "billing_flush_wal",
    "SELECT pg_logical_emit_message(true, 'footnote', '')",
  );
  return [...items];
}
