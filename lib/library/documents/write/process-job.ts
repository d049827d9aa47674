import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import { lowestId } from "@/lib/id";
import { embedder, passageCircuit, raceAbort } from "@/lib/models/embedding";
import type { Verdict } from "@/lib/models/vendor/circuit";
import { query, type Row } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { metrics, secondsSince } from "@/lib/platform/metrics";
import { MAX_ATTEMPTS } from "@/lib/platform/queue/vendor";
import { beginRootSpan, DATABASE, endSpan, inSpan, within } from "@/lib/platform/tracing";
import { embeddingText } from "@/lib/reading/describe";
import { DocumentError } from "@/lib/reading/document-error";
import type { OcrMode } from "@/lib/reading/ocr/ocr-mode";
import type { ReadDocument, ReadTask } from "@/lib/reading/parse/read-task";
import type { Scan } from "@/lib/reading/parse/scans";
import { readDocument, readOrScan } from "../processes/parser-pool";
import { ATTACHED_TO, uploadAttachments } from "./attachments";
import { completeJob, failJob, type JobAttempt, outOfAttempts } from "./end-job";
import { deferJobs } from "./fair-queue";
import type { ChunkVectors, IndexedDocument } from "./index-document";
import { inPieces } from "./pieces";
import { moveToSlowJobs, pagesToRecognize, recognizeScan } from "./recognize";
import { announceChunks } from "./reindex-cycle";

/** How soon a job notices that it was canceled, deleted or taken over. */
const WATCH_MS = 1000;
const PATIENCE_MS = 10_000;

interface JobOptions {
  signal?: AbortSignal;
  worker?: number | null;
  /** Aborts when a document that can be found by its words has waited long enough for its vectors. */
  patience?: () => AbortSignal;
}

interface PendingDocument extends IndexedDocument, Row {
  /** Null for a file that is stored in slices. */
  bytes: Uint8Array | null;
  fileId: string | null;
  sizeBytes: number;
  name: string | null;
  title: string | null;
  ocr: OcrMode;
  scope: string;
  sourceType: string;
  isAttachment: boolean;
}

/**
 * Makes a job's document searchable. A DocumentError fails the job, and so does any error on the last attempt. Other
 * errors are thrown so that the queue retries. A job that ends meanwhile is abandoned and stores nothing.
 */
export async function processJob(
  jobId: string,
  { signal, worker = null, patience = () => AbortSignal.timeout(PATIENCE_MS) }: JobOptions = {},
): Promise<void> {
  const [attempt] = await query<JobAttempt>(
    "documents_claim_job",
    `UPDATE job SET status = 'processing', stage = 'parsing', progress = 0.1, attempts = attempts + 1,
                    embedded_tokens = 0, ocr_pages = 0, worker = $2, started_at = coalesce(started_at, now())
      WHERE id = $1 AND status IN ('queued', 'processing')
      RETURNING id, account_id, document_id, hold_id, attempts, is_large, started_at`,
    [jobId, worker],
  );
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
    const outcome = await within(span, () => run(attempt, { signal: ends, patience }));
    metrics()?.jobs.add(1, { outcome });
    endSpan(span);
  } catch (thrown) {
    const outcome = thrown instanceof DocumentError ? "failed" : "interrupted";
    metrics()?.jobs.add(1, { outcome });
    endSpan(span, thrown);
    await afterFailure(attempt, thrown);
  } finally {
    watch.abort();
    await watching;
  }
}

async function watchAttempt(attempt: JobAttempt, watch: AbortController): Promise<void> {
  while (!watch.signal.aborted) {
    await sleep(WATCH_MS, null, { signal: watch.signal, ref: false }).catch(() => {});
    // An unavailable database says nothing about the job.
    if (!watch.signal.aborted && !(await isCurrent(attempt).catch(() => true))) {
      watch.abort();
    }
  }
}

async function isCurrent({ id, attempts }: JobAttempt): Promise<boolean> {
  const rows = await query(
    "documents_watch_job",
    "SELECT id FROM job WHERE id = $1 AND status = 'processing' AND attempts = $2",
    [id, attempts],
  );
  return rows.length > 0;
}

type Outcome = "completed" | "superseded" | "deferred";

async function run(
  attempt: JobAttempt,
  { signal, patience }: { signal: AbortSignal; patience: () => AbortSignal },
): Promise<Outcome> {
  if (attempt.attempts > MAX_ATTEMPTS) {
    throw outOfAttempts();
  }
  const { bytes, name, title, ocr, scope, isAttachment, ...document } = await getPending(
    attempt,
    signal,
  );
  const takesAttachments = attempt.hold_id !== null && !isAttachment;
  const task = { bytes, name, title, mediaType: null, ocr, takesAttachments };
  const found = await stage("reading", () => readOrScan(task, signal));
  if ("scan" in found && (await moveToSlowJobs(attempt, pagesToRecognize(found.scan).length))) {
    return "deferred";
  }
  const read =
    "scan" in found
      ? await readScan(attempt, { ...task, scan: found.scan }, signal)
      : found.document;
  const vectors = await stage("embedding", () => embedSoon(attempt, read, { signal, patience }));
  const email = { ...document, holdId: attempt.hold_id, scope, ocr };
  const { attachments, warnings } = await uploadAttachments(email, read.attachments, signal);
  await advance(attempt, "indexing", 0.8);
  signal.throwIfAborted();
  const isStored = await stage("indexing", () =>
    completeJob(attempt, {
      document,
      read: { ...read, warnings: [...read.warnings, ...warnings] },
      vectors,
      attachments,
      uploadedBytes: bytes.byteLength,
    }),
  );
  if (isStored && vectors && vectors.points.length < read.chunks.length) {
    announceChunks(lowestId("chunk", attempt.started_at));
  }
  return isStored ? "completed" : "superseded";
}

/**
 * Vectors of the passages, or of the first ones if the model fails or is slow: the document is found by its words
 * meanwhile, and `reindexSome` embeds the others. Null without a model.
 */
async function embedSoon(
  attempt: JobAttempt,
  { title, chunks }: ReadDocument,
  { signal, patience }: { signal: AbortSignal; patience: () => AbortSignal },
): Promise<ChunkVectors> {
  const points: Float32Array[] = [];
  let space = "";
  const circuit = passageCircuit();
  if (!circuit.allowsCall()) {
    return { space, points };
  }
  const end = circuit.begin("");
  let verdict: Verdict = null;
  const soon = AbortSignal.any([signal, patience()]);
  try {
    const model = await embedder(soon);
    if (!model) {
      return null;
    }
    space = model.space;
    const texts = chunks.map((chunk) => embeddingText(title, chunk));
    const onBatch = recordEmbedded(attempt, chunks);
    await inPieces(texts, async (piece) => {
      await advance(attempt, "embedding", 0.5 + (0.3 * points.length) / texts.length);
      points.push(...(await raceAbort(soon, model.embedPassages(piece, soon, onBatch))));
    });
    verdict = "working";
  } catch (cause) {
    signal.throwIfAborted();
    verdict = points.length > 0 ? "working" : "failed";
    log.warn({ job_id: attempt.id, embedded: points.length, err: cause }, "vectors follow");
  } finally {
    end(verdict);
  }
  return { space, points };
}

async function readScan(
  attempt: JobAttempt,
  { scan, ...task }: ReadTask & { scan: Scan },
  signal: AbortSignal,
): Promise<ReadDocument> {
  const { bytes } = task;
  const recognition = await stage("recognizing", () =>
    recognizeScan(attempt, { bytes, scan }, signal),
  );
  return stage("reading", () => readDocument({ ...task, recognition }, signal));
}

async function stage<T>(
  name: "reading" | "recognizing" | "embedding" | "indexing",
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  try {
    return await inSpan(name, name === "indexing" ? DATABASE : {}, work);
  } finally {
    metrics()?.jobStages.record(secondsSince(startedAt), { stage: name });
  }
}

async function getPending({ document_id }: JobAttempt, signal: AbortSignal) {
  const [pending] = await query<PendingDocument>(
    "documents_pending",
    `SELECT d.id, d.collection_id AS "collectionId", d.account_id AS "accountId", u.file_id AS "fileId", u.size_bytes AS "sizeBytes",
            coalesce(u.description->>'source_type', d.source_type) AS "sourceType", u.bytes, u.name, u.title, u.ocr,
            c.scope, coalesce(u.description->'metadata', d.metadata) ? $2 AS "isAttachment"
       FROM document d JOIN document_upload u ON u.document_id = d.id AND NOT u.is_original
       JOIN collection c ON c.id = d.collection_id AND c.account_id = d.account_id WHERE d.id = $1`,
    [document_id, ATTACHED_TO],
  );
  const bytes = pending && (pending.bytes ?? (await readSlices(pending, signal)));
  if (!bytes) {
    throw new DocumentError("processing_failed", "The document's bytes are gone. Upload it again.");
  }
  return { ...pending, bytes };
}

/** The bytes of a file that is stored in slices, one after the other; null if they aren't all there. */
async function readSlices(
  { fileId, accountId, sizeBytes }: PendingDocument,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(sizeBytes);
  for (let at = 0; at < sizeBytes; ) {
    signal.throwIfAborted();
    const [slice] = await query<{ bytes: Uint8Array }>(
      "documents_slice_of_file",
      "SELECT bytes FROM upload_slice WHERE file_id = $1 AND account_id = $2 AND position = $3",
      [fileId, accountId, at],
    );
    if (!slice) {
      return null;
    }
    bytes.set(slice.bytes, at);
    at += slice.bytes.byteLength;
  }
  return bytes;
}

/** Records the passages of each batch before the embedding model gets them: a canceled job pays for those. */
function recordEmbedded({ id, attempts }: JobAttempt, chunks: ReadDocument["chunks"]) {
  let sent = 0;
  return async (texts: number): Promise<void> => {
    const batch = chunks.slice(sent, sent + texts);
    sent += texts;
    await query(
      "documents_record_embedded",
      "UPDATE job SET embedded_tokens = embedded_tokens + $3 WHERE id = $1 AND attempts = $2 AND status = 'processing'",
      [id, attempts, batch.reduce((sum, { tokenCount }) => sum + tokenCount, 0)],
    );
  };
}

async function advance(attempt: JobAttempt, stage: string, progress: number): Promise<void> {
  await query(
    "documents_advance_job",
    "UPDATE job SET stage = $3, progress = $4 WHERE id = $1 AND attempts = $2 AND status = 'processing'",
    [attempt.id, attempt.attempts, stage, progress],
  );
}

async function afterFailure(attempt: JobAttempt, thrown: unknown): Promise<void> {
  if (thrown instanceof DocumentError) {
    await failJob(attempt, thrown);
    if (thrown.cpuMs > 0) {
      await deferJobs(attempt.account_id, thrown.cpuMs / 1000);
    }
    return;
  }
  if (!(await isCurrent(attempt))) {
    return;
  }
  const { id, attempts } = attempt;
  log.warn({ job_id: id, attempt: attempts, err: thrown }, "document job attempt failed");
  if (attempts >= MAX_ATTEMPTS) {
    return failJob(attempt, outOfAttempts());
  }
  await query(
    "documents_return_job",
    `UPDATE job SET status = 'queued', stage = NULL, progress = 0, worker = NULL
      WHERE id = $1 AND attempts = $2 AND status = 'processing'`,
    [id, attempts],
  );
  throw thrown;
}
