import "server-only";

import { renewHolds } from "@/lib/money/billing/write/hold";
import { query, type Row, transaction } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import {
  enqueue,
  MAX_ATTEMPTS,
  openJobQueue,
  QUEUE_ROWS,
  requeue,
} from "@/lib/platform/queue/vendor";
import { isWorkerAlive } from "@/lib/platform/queue/write/worker-lease";
import { DocumentError } from "@/lib/reading/document-error";
import { failJob, outOfAttempts } from "./end-job";
import { JOB_LEASE_SECONDS } from "./queue-job";

/** A worker stores its number with a job within milliseconds of taking it. A busy one may need longer. */
export const CLAIM_GRACE_SECONDS = 5;

const TWICE_INTERRUPTED =
  "Reading the document ended twice with the process that read it. Split it or save it in a simpler format, and upload that.";

/** An open job that nobody is working on. */
interface OrphanedJob extends Row {
  id: string;
  attempts: number;
  queue_id: string | null;
  /** The state of its queue row: `active` under a dead worker, `failed`, or null if the row is missing. */
  queue_state: "active" | "failed" | null;
  retry_count: number | null;
  is_parsing: boolean;
  /** Whether a worker died at parsing it before. */
  parsing_interrupted: boolean;
}

interface RecoveryOptions {
  /** How long after a job was taken from the queue its worker's number may be missing. */
  graceSeconds: number;
  /** Also checks waiting jobs, of which there may be many. */
  isThorough: boolean;
}

/**
 * Recovers open jobs that nobody is working on: a dead worker's job is retried at once, one missing from the queue
 * is queued again, and one that is out of attempts, or that may have ended two workers, fails. Returns how many.
 */
export async function recoverOrphanedJobs(options: RecoveryOptions): Promise<number> {
  await openJobQueue();
  const orphans = await findOrphanedJobs(options);
  for (const orphan of orphans) {
    await recoverJob(orphan);
  }
  return orphans.length;
}

/** Keeps the money of waiting and running jobs reserved. */
export async function renewJobHolds(): Promise<void> {
  const jobs = await query<{ hold_id: string }>(
    "documents_open_holds",
    "SELECT hold_id FROM job WHERE status IN ('queued', 'processing') AND hold_id IS NOT NULL",
  );
  const ids = jobs.map(({ hold_id }) => hold_id);
  if (ids.length > 0) {
    await renewHolds(ids, JOB_LEASE_SECONDS);
  }
}

function findOrphanedJobs({ graceSeconds, isThorough }: RecoveryOptions): Promise<OrphanedJob[]> {
  return query<OrphanedJob>(
    "documents_find_orphaned_jobs",
    `SELECT j.id, j.attempts, j.queue_id, q.retry_count, j.stage IS NOT DISTINCT FROM 'parsing' AS is_parsing, j.parsing_interrupted,
            CASE WHEN q.state IN ('active', 'failed') THEN q.state::text END AS queue_state
       FROM job j LEFT JOIN ${QUEUE_ROWS} q ON q.id = j.queue_id
      WHERE j.status = ANY($1)
        AND (q.id IS NULL OR q.state IN ('completed', 'cancelled', 'failed')
             OR (q.state = 'active'
                 AND (j.worker IS NOT NULL OR q.started_on < now() - make_interval(secs => $2))
                 AND NOT ${isWorkerAlive("j.worker")}))
      ORDER BY j.id LIMIT 1000`,
    [isThorough ? ["queued", "processing"] : ["processing"], graceSeconds],
  );
}

async function recoverJob(orphan: OrphanedJob): Promise<void> {
  const { id, attempts, queue_id, queue_state } = orphan;
  log.warn({ job_id: id, attempts, queue: queue_state }, "recovering orphaned job");
  if (queue_state === "failed" || attempts >= MAX_ATTEMPTS) {
    await failJob(orphan, outOfAttempts());
    return;
  }
  if (orphan.is_parsing && orphan.parsing_interrupted) {
    await failJob(orphan, new DocumentError("too_complex", TWICE_INTERRUPTED));
    return;
  }
  await transaction(async (tx) => {
    // Another process may have recovered it first; then it has changed since it was read.
    const [job] = await tx.query<{ virtual_finish: number; is_large: boolean }>(
      "documents_reset_orphaned_job",
      `UPDATE job SET status = 'queued', stage = NULL, progress = 0, worker = NULL,
                      parsing_interrupted = parsing_interrupted OR stage IS NOT DISTINCT FROM 'parsing'
        WHERE id = $1 AND attempts = $2 AND queue_id IS NOT DISTINCT FROM $3
          AND status IN ('queued', 'processing') RETURNING virtual_finish, is_large`,
      [id, attempts, queue_id],
    );
    if (!job) {
      return;
    }
    if (queue_state === "active" && queue_id) {
      await requeue(tx, { queueId: queue_id, retryCount: orphan.retry_count ?? 0 });
    } else {
      const statement = "UPDATE job SET queue_id = $2 WHERE id = $1";
      const place = { virtualFinish: job.virtual_finish, isSlow: job.is_large };
      await tx.query("documents_queue_again", statement, [id, await enqueue(tx, { id, ...place })]);
    }
  });
}
