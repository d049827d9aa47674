import "server-only";

import { conflict } from "@/lib/errors";
import { type Transaction, transaction } from "@/lib/platform/db/client";
import { openJobQueue } from "@/lib/platform/queue/vendor";
import type { Reader } from "../collections";
import { getJob } from "../read/jobs";
import type { Job } from "../schema";
import { type EndedJob, lockCollection, removeTraces, settleIngestion } from "./end-job";
import type { RecognitionCharge } from "./recognized-pages";

/**
 * Cancels a waiting or running job, with nothing stored; charged is what the embedding model got, and the pages that were recognized. Its document stays, so the same bytes
 * can be uploaded again. Canceling twice is fine. Throws not_found, and conflict for a completed or failed job.
 */
export async function cancelJob(ctx: Reader, id: string): Promise<Job> {
  const { document_id } = await getJob(ctx, id);
  await openJobQueue();
  await transaction(async (tx) => {
    await lockCollection(tx, { documentId: document_id });
    await cancelOpenJob(tx, { jobId: id });
  });
  const job = await getJob(ctx, id);
  if (job.status !== "cancelled") {
    throw conflict(
      `The job is already ${job.status}, so it can't be canceled. Delete its document instead.`,
      "job_id",
    );
  }
  return job;
}

/**
 * Cancels a job, or the documents' open jobs, and releases what it didn't use of its hold. A worker that is running it stores nothing. The
 * caller holds the collection's lock and has opened the queue.
 */
export async function cancelOpenJob(tx: Transaction, which: JobSelection): Promise<void> {
  await settleCancelled(tx, await endOpenJobs(tx, which));
}

interface JobSelection {
  jobId?: string;
  documentIds?: readonly string[];
}

interface CancelledJob extends EndedJob {
  embedded_tokens: number;
}

type SettledJob = CancelledJob & { ocr: RecognitionCharge };

/** As `cancelOpenJob`, without the settlement, which locks the account. */
export async function endOpenJobs(
  tx: Transaction,
  { jobId, documentIds = [] }: JobSelection,
): Promise<SettledJob[]> {
  const cancelled = await tx.query<CancelledJob>(
    "documents_cancel_job",
    `UPDATE job SET status = 'cancelled', stage = NULL, worker = NULL, finished_at = now()
      WHERE (id = $1 OR document_id = ANY($2)) AND status IN ('queued', 'processing')
      RETURNING id, document_id, hold_id, queue_id, embedded_tokens`,
    [jobId ?? null, documentIds],
  );
  const settled: SettledJob[] = [];
  for (const ended of cancelled) {
    settled.push({ ...ended, ocr: await removeTraces(tx, ended) });
  }
  return settled;
}

/** Charges canceled jobs for recognized pages and what the embedding model got, and releases the rest of their holds. */
export async function settleCancelled(
  tx: Transaction,
  cancelled: readonly SettledJob[],
): Promise<void> {
  for (const { embedded_tokens: tokens, ocr, hold_id } of cancelled) {
    if (hold_id) {
      await settleIngestion(tx, hold_id, { latencyMs: 0, status: 499, tokens, ocr });
    }
  }
}
