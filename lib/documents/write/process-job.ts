import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import { ingestCost } from "@/lib/billing/rates";
import { increaseHold } from "@/lib/billing/write/hold";
import { countSettled, settleWithin } from "@/lib/billing/write/settle";
import { query, type Transaction, transaction } from "@/lib/db/client";
import { env } from "@/lib/env";
import { MAX_ATTEMPTS } from "@/lib/jobs/vendor";
import { log } from "@/lib/log";
import { metrics, secondsSince } from "@/lib/metrics";
import { embedder } from "@/lib/models/embedding";
import { beginRootSpan, DATABASE, endSpan, inSpan, within } from "@/lib/tracing";
import { DocumentError } from "../document-error";
import { type ReadDocument, readDocument } from "../parse/pool";
import type { JobReport } from "../schema";
import { failJob, ingestUsage, outOfAttempts } from "./end-job";
import { indexDocuments, lockCollection } from "./index-document";
import { embedChunks, type IndexEntry, toIndexEntry } from "./index-entry";

/** How soon a job notices that it was canceled, deleted or taken over. */
const WATCH_MS = 1000;

/** One attempt at a job. Its writes count only while the job is still at this attempt. */
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
 * Makes a job's document searchable. A DocumentError fails the job, and so does any error on the last attempt. Other
 * errors are thrown so that the queue retries. A job that ends meanwhile is abandoned and stores nothing.
 */
export async function processJob(
  jobId: string,
  { signal, worker = null }: { signal?: AbortSignal; worker?: number | null } = {},
): Promise<void> {
  const attempt = await claim(jobId, worker);
  if (!attempt) {
    return;
  }
  const watch = new AbortController();
  const deadline = AbortSignal.timeout(env.JOB_DEADLINE_SECONDS * 1000);
  const ends = AbortSignal.any([watch.signal, deadline, ...(signal ? [signal] : [])]);
  const watching = watchAttempt(attempt, watch);
  const span = beginRootSpan("document job", {
    "footnote.job_id": jobId,
    "footnote.attempt": attempt.attempts,
  });
  try {
    const outcome = await within(span, () => run(attempt, ends));
    metrics()?.jobs.add(1, { outcome });
    endSpan(span);
  } catch (thrown) {
    metrics()?.jobs.add(1, {
      outcome: thrown instanceof DocumentError ? "failed" : "interrupted",
    });
    endSpan(span, thrown);
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
    // An unavailable database says nothing about the job.
    if (!watch.signal.aborted && !(await isCurrent(attempt).catch(() => true))) {
      watch.abort();
    }
  }
}

async function isCurrent({ id, attempts }: Attempt): Promise<boolean> {
  const rows = await query(
    "documents_watch_job",
    "SELECT id FROM job WHERE id = $1 AND status = 'processing' AND attempts = $2",
    [id, attempts],
  );
  return rows.length > 0;
}

async function run(attempt: Attempt, signal: AbortSignal): Promise<"completed" | "superseded"> {
  if (attempt.attempts > MAX_ATTEMPTS) {
    throw outOfAttempts();
  }
  const { bytes, name, title, ...pending } = await getPending(attempt);
  const read = await stage("reading", () =>
    readDocument({ bytes, name, title, mediaType: null }, signal),
  );
  const model = await embedder(signal);
  if (model) {
    await advance(attempt, "embedding", 0.5);
  }
  const vectors = await stage("embedding", () => embedChunks(model, read, signal));
  await advance(attempt, "indexing", 0.8);
  signal.throwIfAborted();
  const tokens = countTokens(read);
  const isStored = await stage("indexing", async () => {
    const document = {
      id: pending.id,
      collectionId: pending.collection_id,
      accountId: pending.account_id,
      sourceType: pending.source_type,
    };
    const entry = await toIndexEntry(document, read, vectors);
    // The hold covers one token per byte. Compressed files and repeated column names can exceed that.
    if (attempt.hold_id && tokens > bytes.byteLength) {
      await coverTokens(attempt.hold_id, tokens);
    }
    return transaction((tx) => complete(tx, attempt, entry));
  });
  if (isStored && attempt.hold_id) {
    countSettled(ingestUsage({ tokens, latencyMs: 0, status: 202 }), ingestCharge(tokens));
  }
  return isStored ? "completed" : "superseded";
}

async function stage<T>(
  name: "reading" | "embedding" | "indexing",
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  try {
    return await inSpan(name, name === "indexing" ? DATABASE : {}, work);
  } finally {
    metrics()?.jobStages.record(secondsSince(startedAt), { stage: name });
  }
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
 * Its own statement, because it locks the account: inside the indexing transaction it would block every request of
 * the account until the index is written.
 */
async function coverTokens(holdId: string, tokens: number): Promise<void> {
  const outcome = await increaseHold(query, { id: holdId, costMicros: ingestCost(tokens) });
  if (outcome !== "increased") {
    throw new DocumentError(outcome);
  }
}

/**
 * Stores the index, the job's end and its charge in one transaction, so that a kill leaves all or nothing. Returns
 * false, with nothing stored, if the job has ended or is at another attempt.
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
  if (!ended || !collection) {
    return ended !== undefined;
  }
  await indexDocuments(tx, collection, [entry]);
  if (attempt.hold_id) {
    const { tokens } = report;
    const latencyMs = Date.now() - attempt.started_at.getTime();
    await settleWithin(
      tx.query,
      { id: attempt.hold_id, costMicros: ingestCharge(tokens) },
      ingestUsage({ tokens, latencyMs, status: 202 }),
    );
  }
  return true;
}

function ingestCharge(tokens: number): bigint {
  return tokens > 0 ? ingestCost(tokens) : 0n;
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
  if (!(await isCurrent(attempt))) {
    return;
  }
  log.warn(
    { job_id: attempt.id, attempt: attempt.attempts, err: thrown },
    "document job attempt failed",
  );
  if (attempt.attempts >= MAX_ATTEMPTS) {
    return failJob(attempt, outOfAttempts());
  }
  await query(
    "documents_return_job",
    `UPDATE job SET status = 'queued', stage = NULL, progress = 0, worker = NULL
      WHERE id = $1 AND attempts = $2 AND status = 'processing'`,
    [attempt.id, attempt.attempts],
  );
  throw thrown;
}
