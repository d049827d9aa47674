import "server-only";

import { query, transaction } from "@/lib/db/client";
import { log } from "@/lib/log";
import {
  enqueue,
  findOrphanedJobs,
  MAX_ATTEMPTS,
  type OrphanedJob,
  openJobQueue,
  requeue,
} from "@/lib/jobs/vendor";
import { failPermanently } from "./end-job";
import { JOB_LEASE_SECONDS } from "./upload";

/** A worker puts its name to a job within milliseconds of taking it; a busy one may need longer. */
export const CLAIM_GRACE_SECONDS = 5;

/**
 * Brings open jobs that nobody works on to an end: one whose worker is gone is handed over at once, one
 * that the queue has lost is queued again, and one that was begun too often fails. Returns how many.
 */
export async function recoverOrphanedJobs(options: {
  graceSeconds: number;
  isThorough: boolean;
}): Promise<number> {
  await openJobQueue();
  const strays = await findOrphanedJobs(options);
  for (const stray of strays) {
    await recoverJob(stray);
  }
  return strays.length;
}

/** Keeps the money of jobs that wait or run. Holds that another transaction has in hand wait for the next sweep. */
export async function renewJobHolds(): Promise<void> {
  await query(
    "documents_renew_holds",
    `UPDATE hold SET lease_expires_at = now() + make_interval(secs => $1)
      WHERE id IN (SELECT h.id FROM hold h JOIN job j ON j.hold_id = h.id
                    WHERE j.status IN ('queued', 'processing') AND h.status = 'open'
                      AND h.lease_expires_at < now() + make_interval(secs => $1) / 2
                      FOR UPDATE OF h SKIP LOCKED)`,
    [JOB_LEASE_SECONDS],
  );
}

async function recoverJob(stray: OrphanedJob): Promise<void> {
  log.warn(
    { job_id: stray.id, attempts: stray.attempts, queue: stray.queue_state },
    "job of nobody",
  );
  if (stray.queue_state === "failed" || stray.attempts >= MAX_ATTEMPTS) {
    await failPermanently(stray);
    return;
  }
  await transaction(async (tx) => {
    // Another sweep may have been faster: the job is as it was seen, or it is left alone.
    const [job] = await tx.query(
      "documents_claim_orphaned_job",
      `UPDATE job SET status = 'queued', stage = NULL, progress = 0, worker = NULL
        WHERE id = $1 AND attempts = $2 AND queue_id IS NOT DISTINCT FROM $3
          AND status IN ('queued', 'processing') RETURNING id`,
      [stray.id, stray.attempts, stray.queue_id],
    );
    if (!job) {
      return;
    }
    if (stray.queue_state === "active" && stray.queue_id) {
      await requeue(tx, { queueId: stray.queue_id, retryCount: stray.retry_count ?? 0 });
    } else {
      await tx.query("documents_set_queue_id", "UPDATE job SET queue_id = $2 WHERE id = $1", [
        stray.id,
        await enqueue(tx, stray.id),
      ]);
    }
  });
}
