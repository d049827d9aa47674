import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import { ingestCost } from "@/lib/billing/rates";
import { increaseHold } from "@/lib/billing/write/hold";
import { query, type Transaction, transaction } from "@/lib/db/client";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { embedder } from "@/lib/models/embedding";
import { DocumentError } from "../document-error";
import { type ReadDocument, readDocument } from "../parse/pool";
import type { JobReport } from "../schema";
import { MAX_ATTEMPTS, openJobQueue } from "@/lib/jobs/vendor";
import { charge, failJob, failPermanently } from "./end-job";
import {
  embedChunks,
  type IndexEntry,
  indexDocuments,
  lockCollection,
  toIndexEntry,
} from "./index-document";
import { countIngestion, type JobOutcome, JobTrace } from "./job-trace";

/** How long after its end by someone else (cancelled, deleted, taken over) work on a job may go on. */
const WATCH_MS = 1000;

/** One attempt at a job; what it writes counts only while the job's number of attempts is its own. */
interface Attempt extends Record<string, unknown> {
  id: string;
  document_id: string;
  hold_id: string | null;
  attempts: number;
  started_at: Date;
}

interface PendingDocument extends Record<string, unknown> {
  id: string;
  collection_id: string;
  account_id: string;
  source_type: string;
  bytes: Uint8Array;
  name: string | null;
  title: string | null;
}

/**
 * Makes the document of a job searchable. What can never work ends the job as failed, and so does the
 * last attempt; anything else is thrown, for the queue to try again. A job that has ended is left alone,
 * and one that ends meanwhile is given up within seconds, having stored nothing.
 */
export async function processJob(
  jobId: string,
  { signal, worker = null }: { signal?: AbortSignal; worker?: number | null } = {},
): Promise<void> {
  await openJobQueue();
  const attempt = await claim(jobId, worker);
  if (!attempt) {
    return;
  }
  const watch = new AbortController();
  const deadline = AbortSignal.timeout(env.JOB_DEADLINE_SECONDS * 1000);
  const ends = AbortSignal.any([watch.signal, deadline, ...(signal ? [signal] : [])]);
  const watching = watchAttempt(attempt, watch);
  const trace = new JobTrace(attempt);
  try {
    await trace.run(() => run(attempt, ends, trace));
  } catch (thrown) {
    await afterFailure(attempt, thrown);
  } finally {
    watch.abort();
    await watching;
  }
}

async function claim(jobId: string, worker: number | null): Promise<Attempt | null> {
  const [attempt] = await query<Attempt>(
    "documents_claim_job",
    `UPDATE job SET status = 'processing', stage = 'parsing', progress = 0.1, attempts = attempts + 1,
                    worker = $2, started_at = coalesce(started_at, now())
      WHERE id = $1 AND status IN ('queued', 'processing')
      RETURNING id, document_id, hold_id, attempts, started_at`,
    [jobId, worker],
  );
  return attempt ?? null;
}

async function watchAttempt(attempt: Attempt, watch: AbortController): Promise<void> {
  while (!watch.signal.aborted) {
    await sleep(WATCH_MS, null, { signal: watch.signal, ref: false }).catch(() => {});
    // A database that does not answer says nothing about the job.
    if (!watch.signal.aborted && !(await isOwn(attempt).catch(() => true))) {
      watch.abort();
    }
  }
}

async function isOwn({ id, attempts }: Attempt): Promise<boolean> {
  const rows = await query(
    "documents_watch_job",
    "SELECT id FROM job WHERE id = $1 AND status = 'processing' AND attempts = $2",
    [id, attempts],
  );
  return rows.length > 0;
}

async function run(attempt: Attempt, signal: AbortSignal, trace: JobTrace): Promise<JobOutcome> {
  if (attempt.attempts > MAX_ATTEMPTS) {
    await failPermanently(attempt);
    return "failed";
  }
  const pending = await getPending(attempt);
  const { bytes, name, title } = pending;
  const read = await trace.stage("reading", () =>
    readDocument({ bytes, name, title, mediaType: null }, signal),
  );
  const model = await embedder(signal);
  if (model) {
    await advance(attempt, "embedding", 0.5);
  }
  const vectors = await trace.stage("embedding", () => embedChunks(model, read, signal));
  await advance(attempt, "indexing", 0.8);
  signal.throwIfAborted();
  const document = {
    id: pending.id,
    collectionId: pending.collection_id,
    accountId: pending.account_id,
    sourceType: pending.source_type,
  };
  const tokens = countTokens(read);
  const isStored = await trace.stage("indexing", async () => {
    const entry = await toIndexEntry(document, read, vectors);
    await cover(attempt.hold_id, { tokens, sizeBytes: bytes.byteLength });
    return transaction((tx) => complete(tx, attempt, entry));
  });
  if (!isStored) {
    return "superseded";
  }
  countIngestion(attempt, tokens);
  return "completed";
}

async function getPending({ document_id }: Attempt): Promise<PendingDocument> {
  const [pending] = await query<PendingDocument>(
    "documents_pending",
    `SELECT d.id, d.collection_id, d.account_id, d.source_type, u.bytes, u.name, u.title
       FROM document d JOIN document_upload u ON u.document_id = d.id WHERE d.id = $1`,
    [document_id],
  );
  if (!pending) {
    throw new DocumentError("processing_failed", "The document's bytes are gone. Upload it again.");
  }
  return pending;
}

async function advance(attempt: Attempt, stage: string, progress: number): Promise<void> {
  await query(
    "documents_advance_job",
    "UPDATE job SET stage = $3, progress = $4 WHERE id = $1 AND attempts = $2 AND status = 'processing'",
    [attempt.id, attempt.attempts, stage, progress],
  );
}

/**
 * The index, the end of the job and its charge are one transaction: a kill leaves all or nothing. Whether anything
 * was stored: nothing is when the job has ended, or is at another attempt.
 */
async function complete(tx: Transaction, attempt: Attempt, entry: IndexEntry): Promise<boolean> {
  const { document, read } = entry;
  const collection = await lockCollection(tx, { documentId: document.id });
  const report = toReport(read);
  const [ended] = await tx.query(
    "documents_complete_job",
    `UPDATE job SET status = 'completed', stage = NULL, progress = 1, report = $3, worker = NULL, finished_at = now()
      WHERE id = $1 AND attempts = $2 AND status = 'processing'
        AND EXISTS (SELECT 1 FROM document d WHERE d.id = job.document_id) RETURNING id`,
    [attempt.id, attempt.attempts, JSON.stringify(report)],
  );
  if (ended && collection) {
    await indexDocuments(tx, collection, [entry]);
    const latencyMs = Date.now() - attempt.started_at.getTime();
    await charge(tx, attempt.hold_id, { tokens: report.tokens, latencyMs, status: 202 });
  }
  return ended !== undefined;
}

/**
 * A hold covers a token for each byte, and a file may hold far more: packed, or with column names that each row
 * repeats. A statement of its own, because it locks the account: in the transaction that stores the index
 * every request of the account would wait until that is written.
 */
async function cover(
  holdId: string | null,
  { tokens, sizeBytes }: { tokens: number; sizeBytes: number },
): Promise<void> {
  if (!holdId || tokens <= sizeBytes) {
    return;
  }
  const outcome = await increaseHold(query, { id: holdId, costMicros: ingestCost(tokens) });
  if (outcome !== "increased") {
    throw new DocumentError(outcome);
  }
}

function toReport({ pages, emptyPages, text, chunks, warnings }: ReadDocument): JobReport {
  return {
    pages,
    empty_pages: emptyPages,
    characters: text.length,
    chunks: chunks.length,
    tokens: countTokens({ chunks }),
    warnings,
  };
}

function countTokens({ chunks }: Pick<ReadDocument, "chunks">): number {
  return chunks.reduce((sum, chunk) => sum + chunk.tokenCount, 0);
}

async function afterFailure(attempt: Attempt, thrown: unknown): Promise<void> {
  if (thrown instanceof DocumentError) {
    return failJob(attempt, thrown);
  }
  if (!(await isOwn(attempt))) {
    return;
  }
  log.warn(
    { job_id: attempt.id, attempt: attempt.attempts, err: thrown },
    "document job failed for now",
  );
  if (attempt.attempts >= MAX_ATTEMPTS) {
    return failPermanently(attempt);
  }
  await query(
    "documents_requeue_job",
    `UPDATE job SET status = 'queued', stage = NULL, progress = 0, worker = NULL
      WHERE id = $1 AND attempts = $2 AND status = 'processing'`,
    [attempt.id, attempt.attempts],
  );
  throw thrown;
}
