import "server-only";

import { AppError } from "@/lib/errors";
import { lockList } from "@/lib/platform/db/advisory-lock";
import { type Transaction, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import {
  deferInQueue,
  openJobQueue,
  type QueuedJob,
  readVirtualTime,
} from "@/lib/platform/queue/vendor";

/** Weighted fair queuing: a job's virtual time grows by one for each of these. */
const BYTES_PER_UNIT = 64 * 1024;
/** About what a parser reads in a second of CPU time. */
const UNITS_PER_CPU_SECOND = 16;
/** Files above it may take long to parse. */
const LARGE_BYTES = 1024 * 1024;
/** For how long an attempt that used up its budget makes the account's other jobs slow ones. */
const SUSPICION_MINUTES = 10;

/** A job's position in the queue; `isLarge` is stored with the job. */
type Place = Omit<QueuedJob, "id"> & { isLarge: boolean };

/**
 * Finds the place in the queue for an account's next job, so that accounts take turns in proportion to their bytes and
 * small files don't wait for large ones. Locks the account's queue until the transaction ends. Throws
 * rate_limit_exceeded when the account has as many open jobs as it may.
 */
export async function findPlace(
  tx: Transaction,
  { accountId, bytes }: { accountId: string; bytes: number },
): Promise<Place> {
  const isLarge = bytes > LARGE_BYTES;
  await lockList(tx, "jobs", accountId);
  const [own] = await tx.query<{ open: number; finish: number; is_suspect: boolean }>(
    "documents_open_jobs",
    `SELECT count(*)::int AS open, coalesce(max(virtual_finish) FILTER (WHERE is_large = $2), 0) AS finish,
            EXISTS (SELECT FROM job b WHERE b.account_id = $1 AND b.error_code = 'too_complex'
                       AND b.finished_at > now() - make_interval(mins => $3)) AS is_suspect
       FROM job WHERE account_id = $1 AND status IN ('queued', 'processing')`,
    [accountId, isLarge, SUSPICION_MINUTES],
  );
  const { open = 0, finish = 0, is_suspect = false } = own ?? {};
  rejectTooManyOpen(open);
  const start = Math.max(finish, await readVirtualTime(tx));
  const virtualFinish = start + Math.ceil(bytes / BYTES_PER_UNIT);
  return { virtualFinish, isLarge, isSlow: isLarge || is_suspect };
}

function rejectTooManyOpen(open: number): void {
  if (open >= env.MAX_OPEN_JOBS_PER_ACCOUNT) {
    throw new AppError(
      "rate_limit_exceeded",
      `The account has ${open} documents waiting or in progress, the most allowed. Wait for some of them to finish, then upload again.`,
      { headers: { "retry-after": "5" } },
    );
  }
}

/** Moves an account's waiting jobs back by the CPU time that one of its attempts used up. */
export async function deferJobs(accountId: string, cpuSeconds: number): Promise<void> {
  const delay = Math.ceil(cpuSeconds * UNITS_PER_CPU_SECOND);
  await openJobQueue();
  await transaction(async (tx) => {
    // Jobs that someone else has locked are ending: waiting for them could deadlock.
    const deferred = await tx.query<{ queue_id: string }>(
      "documents_defer_jobs",
      `UPDATE job SET virtual_finish = virtual_finish + $2
        WHERE id IN (SELECT id FROM job WHERE account_id = $1 AND status = 'queued' AND queue_id IS NOT NULL
                      ORDER BY id FOR UPDATE SKIP LOCKED)
        RETURNING queue_id`,
      [accountId, delay],
    );
    const ids = deferred.map(({ queue_id }) => queue_id);
    await deferInQueue(tx, ids, delay);
  });
}
