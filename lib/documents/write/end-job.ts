import "server-only";

import { RATES } from "@/lib/billing/rates";
import { settleWithin, type Usage } from "@/lib/billing/write/settle";
import { type Transaction, transaction } from "@/lib/db/client";
import { dequeue, openJobQueue } from "@/lib/jobs/vendor";
import { log } from "@/lib/log";
import { DocumentError } from "../document-error";
import { lockCollection } from "./index-document";

/** A job at any attempt, or only at this one. */
export interface JobAttempt {
  id: string;
  attempts?: number;
}

interface EndedJob extends Record<string, unknown> {
  document_id: string;
  hold_id: string | null;
  queue_id: string | null;
}

/** Fails a job and releases its money. Does nothing if the job has ended or is at another attempt. */
export async function failJob(job: JobAttempt, error: DocumentError): Promise<void> {
  await openJobQueue();
  const hasFailed = await transaction(async (tx) => {
    const [{ document_id = "" } = {}] = await tx.query<{ document_id: string }>(
      "documents_of_job",
      "SELECT document_id FROM job WHERE id = $1",
      [job.id],
    );
    await lockCollection(tx, { documentId: document_id });
    const [ended] = await tx.query<EndedJob>(
      "documents_fail_job",
      `UPDATE job SET status = 'failed', error_code = $2, error_message = $3, worker = NULL, finished_at = now()
        WHERE id = $1 AND status IN ('queued', 'processing') AND attempts = coalesce($4, attempts)
        RETURNING document_id, hold_id, queue_id`,
      [job.id, error.code, error.message, job.attempts ?? null],
    );
    if (ended) {
      await cleanUp(tx, ended, 422);
    }
    return ended !== undefined;
  });
  if (hasFailed) {
    log.info({ job_id: job.id, code: error.code }, "document job failed");
  }
}

export function outOfAttempts(): DocumentError {
  return new DocumentError(
    "processing_failed",
    "The document could not be processed after several tries. Upload it again; if it fails again, report the job's id.",
  );
}

/**
 * Cancels a job, or a document's open job, and releases its money. A worker that is running it stores nothing. The
 * caller holds the collection's lock and has opened the queue.
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
    await cleanUp(tx, ended, 499);
  }
}

/** The usage record of an ingestion. */
export function ingestUsage(ingestion: {
  tokens: number;
  latencyMs: number;
  status: number;
}): Usage {
  return {
    endpoint: "/v1/kb/documents",
    model: null,
    kind: "ingest",
    promptTokens: ingestion.tokens,
    completionTokens: 0,
    passages: null,
    rate: { ingest_usd_per_thousand_tokens: RATES.ingestUsdPerThousandTokens },
    status: ingestion.status,
    warningCodes: [],
    latencyMs: ingestion.latencyMs,
    firstTokenMs: null,
  };
}

/** Removes what a job leaves that stored nothing: its queue row, the uploaded bytes and the hold. */
async function cleanUp(tx: Transaction, ended: EndedJob, status: number): Promise<void> {
  await dequeue(tx, ended.queue_id);
  await tx.query("documents_delete_upload", "DELETE FROM document_upload WHERE document_id = $1", [
    ended.document_id,
  ]);
  if (ended.hold_id) {
    const usage = ingestUsage({ tokens: 0, latencyMs: 0, status });
    await settleWithin(tx.query, { id: ended.hold_id, costMicros: 0n }, usage);
  }
}
