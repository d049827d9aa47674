import "server-only";

import { ingestCost } from "@/lib/billing/rates";
import { settleWithin } from "@/lib/billing/write/settle";
import { type Session, type Transaction, transaction } from "@/lib/db/client";
import { log } from "@/lib/log";
import { DocumentError } from "../document-error";
import { dequeue, openJobQueue } from "@/lib/jobs/vendor";
import { lockCollection } from "./index-document";
import { type Ingestion, ingestUsage } from "./upload";

/** A job, at any attempt or only at this one. */
export interface JobAt {
  id: string;
  attempts?: number;
}

interface EndedJob extends Record<string, unknown> {
  document_id: string;
  hold_id: string | null;
  queue_id: string | null;
}

/** Ends a job as failed and gives its money back; does nothing when it has ended, or is at another attempt. */
export async function failJob(job: JobAt, fault: DocumentError): Promise<void> {
  await openJobQueue();
  const hasFailed = await transaction(async (tx) => {
    await lockCollectionOfJob(tx, job.id);
    const [ended] = await tx.query<EndedJob>(
      "documents_fail_job",
      `UPDATE job SET status = 'failed', error_code = $2, error_message = $3, worker = NULL, finished_at = now()
        WHERE id = $1 AND status IN ('queued', 'processing') AND attempts = coalesce($4, attempts)
        RETURNING document_id, hold_id, queue_id`,
      [job.id, fault.code, fault.message, job.attempts ?? null],
    );
    if (ended) {
      await dropRemains(tx, ended, 422);
    }
    return ended !== undefined;
  });
  if (hasFailed) {
    log.info({ job_id: job.id, code: fault.code }, "document job failed");
  }
}

/** Fails a job that was begun as often as it may be. */
export function failPermanently(job: JobAt): Promise<void> {
  return failJob(
    job,
    new DocumentError(
      "processing_failed",
      "The document could not be processed after several tries. Upload it again; if it fails again, report the job's id.",
    ),
  );
}

/**
 * Cancels a job, or the open one of a document, and gives its money back; who works on it stores nothing.
 * The collection's lock is held by the caller, and the queue is open.
 */
export async function cancelOpenJob(
  tx: Transaction,
  { jobId, documentId }: { jobId?: string; documentId?: string },
): Promise<void> {
  const cancelled = await tx.query<EndedJob>(
    "documents_cancel_job",
    `UPDATE job SET status = 'cancelled', stage = NULL, worker = NULL, finished_at = now()
      WHERE (id = $1 OR document_id = $2) AND status IN ('queued', 'processing')
      RETURNING document_id, hold_id, queue_id`,
    [jobId ?? null, documentId ?? null],
  );
  for (const ended of cancelled) {
    await dropRemains(tx, ended, 499);
  }
}

/** Charges an ingestion, a failed or cancelled one nothing, and closes its hold. */
export async function charge(tx: Session, holdId: string | null, used: Ingestion): Promise<void> {
  if (holdId) {
    await settleWithin(
      tx.query,
      { id: holdId, costMicros: used.tokens ? ingestCost(used.tokens) : 0n },
      ingestUsage(used),
    );
  }
}

/** What a job that stored nothing leaves: its row in the queue, its document's bytes and its hold. */
async function dropRemains(tx: Transaction, ended: EndedJob, status: number): Promise<void> {
  await dequeue(tx, ended.queue_id);
  await tx.query("documents_delete_upload", "DELETE FROM document_upload WHERE document_id = $1", [
    ended.document_id,
  ]);
  await charge(tx, ended.hold_id, { tokens: 0, latencyMs: 0, status });
}

async function lockCollectionOfJob(tx: Session, jobId: string): Promise<void> {
  const [job] = await tx.query<{ document_id: string }>(
    "documents_of_job",
    "SELECT document_id FROM job WHERE id = $1",
    [jobId],
  );
  await lockCollection(tx, { documentId: job?.document_id ?? "" });
}
