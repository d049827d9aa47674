import "server-only";

import type { Micros } from "@/lib/money/billing/money";
import { failedParsingCost, ingestCost, RATES } from "@/lib/money/billing/rates";
import { increaseHold } from "@/lib/money/billing/write/hold";
import { countSettled, settleWithin, type Usage } from "@/lib/money/billing/write/settle";
import {
  query,
  type Row,
  type Session,
  type Transaction,
  transaction,
} from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { dequeue, openJobQueue } from "@/lib/platform/queue/vendor";
import { DocumentError } from "@/lib/reading/document-error";
import type { ReadDocument } from "@/lib/reading/parse/read-task";
import type { CollectionKey } from "../collections";
import type { JobReport } from "../schema";
import {
  type ChunkVectors,
  type IndexEntry,
  type IndexedDocument,
  indexDocuments,
  toIndexEntry,
} from "./index-document";
import { deleteUpload, keepUpload, NO_ROOM, outcomeOfOriginal } from "./originals";
import {
  deleteRecognizedPages,
  findRecognitionCharge,
  NOT_RECOGNIZED,
  type RecognitionCharge,
  withoutCharge,
} from "./recognized-pages";
import { applyNewVersion, hideIfRetracted } from "./versions";

/** One attempt at a job. Its writes count only while the job is still at this attempt. */
export interface JobAttempt extends Row {
  id: string;
  account_id: string;
  document_id: string;
  hold_id: string | null;
  attempts: number;
  is_large: boolean;
  started_at: Date;
}

export interface EndedJob extends Row {
  id: string;
  document_id: string;
  hold_id: string | null;
  queue_id: string | null;
}

/**
 * Locks a document's collection; null if the document is gone. Every transaction that changes documents locks the
 * collection first, then jobs and documents, and the account (`settle`) last. Any other order can deadlock.
 */
export async function lockCollection(
  tx: Session,
  { documentId }: { documentId: string },
): Promise<CollectionKey | null> {
  const [collection] = await tx.query<{ id: string; account_id: string }>(
    "documents_lock_collection",
    `SELECT id, account_id FROM collection WHERE id = (SELECT collection_id FROM document WHERE id = $1) FOR UPDATE`,
    [documentId],
  );
  return collection ? { id: collection.id, accountId: collection.account_id } : null;
}

/** What one attempt made of its document. */
interface ProcessedDocument {
  document: IndexedDocument;
  read: ReadDocument;
  vectors: ChunkVectors;
  attachments: NonNullable<JobReport["attachments"]>;
  uploadedBytes: number;
}

/**
 * Stores the index, the job's end and its charge in one transaction, so that a kill leaves all or nothing. Returns
 * false, with nothing stored, if the job has ended or is at another attempt.
 */
export async function completeJob(
  attempt: JobAttempt,
  { document, read, vectors, attachments, uploadedBytes }: ProcessedDocument,
): Promise<boolean> {
  const entry = await toIndexEntry(document, read, vectors);
  const outcome = await outcomeOfOriginal(document.accountId, uploadedBytes);
  const report = {
    ...toReport(read, outcome === "full"),
    ...(vectors &&
      vectors.points.length < read.chunks.length && { embedded_chunks: vectors.points.length }),
    ...(attachments.length > 0 && { attachments }),
  };
  const { tokens } = report;
  const ocr = await findRecognitionCharge(attempt.id);
  // The hold covers one token per byte. Compressed files and repeated column names can exceed that.
  if (attempt.hold_id && tokens > uploadedBytes) {
    await coverTokens(attempt.hold_id, ingestCost(tokens) + ocr.micros);
  }
  const isKept = outcome === "kept";
  const isStored = await transaction((tx) => store(tx, attempt, { entry, report, isKept }));
  if (isStored && attempt.hold_id) {
    const ingestion = { tokens, ocr, latencyMs: 0, status: 202 };
    countSettled(ingestUsage(ingestion), ingestCharge(ingestion));
  }
  return isStored;
}

/**
 * Its own statement, because it locks the account: inside the indexing transaction it would block every request of
 * the account until the index is written.
 */
async function coverTokens(holdId: string, costMicros: Micros): Promise<void> {
  const outcome = await increaseHold(query, { id: holdId, costMicros });
  if (outcome !== "increased") {
    throw new DocumentError(outcome);
  }
}

async function store(
  tx: Transaction,
  attempt: JobAttempt,
  { entry, report, isKept }: { entry: IndexEntry; report: JobReport; isKept: boolean },
): Promise<boolean> {
  const collection = await lockCollection(tx, { documentId: entry.document.id });
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
  const removedKeys = await applyNewVersion(tx, entry.document.id);
  await indexDocuments(tx, collection, [{ ...entry, removedKeys }]);
  await (isKept ? keepUpload : deleteUpload)(tx, entry.document.id);
  await hideIfRetracted(tx, entry.document.id);
  const ocr = await deleteRecognizedPages(tx, attempt.id);
  if (attempt.hold_id) {
    const latencyMs = Date.now() - attempt.started_at.getTime();
    const { tokens } = report;
    await settleIngestion(tx, attempt.hold_id, { tokens, ocr, latencyMs, status: 202 });
  }
  return true;
}

function toReport(
  { text, chunks, warnings, ...read }: ReadDocument,
  hasNoRoom: boolean,
): JobReport {
  return {
    pages: read.pages,
    empty_pages: read.emptyPages,
    ...(read.recognized && { recognized_pages: read.recognized.pages }),
    ...(read.ocr && { ocr: read.ocr }),
    page_confidence: read.pageConfidence,
    characters: text.length,
    chunks: chunks.length,
    tokens: chunks.reduce((sum, chunk) => sum + chunk.tokenCount, 0),
    warnings: hasNoRoom ? [...warnings, NO_ROOM] : warnings,
  };
}

/**
 * Fails a job and releases its money, except for the CPU time of a document that is too complex, and for pages that
 * were recognized. Does nothing if the job has ended or is at another attempt.
 */
export async function failJob(
  job: { id: string; attempts?: number },
  error: DocumentError,
): Promise<void> {
  await openJobQueue();
  const hasFailed = await transaction(async (tx) => {
    const [{ document_id = "" } = {}] = await tx.query<{ document_id: string }>(
      "documents_of_job",
      "SELECT document_id FROM job WHERE id = $1",
      [job.id],
    );
    await lockCollection(tx, { documentId: document_id });
    const [ended] = await tx.query<EndedJob & { started_at: Date | null }>(
      "documents_fail_job",
      `UPDATE job SET status = 'failed', error_code = $2, error_message = $3, worker = NULL, finished_at = now()
        WHERE id = $1 AND status IN ('queued', 'processing') AND attempts = coalesce($4, attempts)
        RETURNING id, document_id, hold_id, queue_id, started_at`,
      [job.id, error.code, error.message, job.attempts ?? null],
    );
    const recognized = ended ? await removeTraces(tx, ended) : NOT_RECOGNIZED;
    if (ended?.hold_id) {
      // The account pays nothing when the server is at fault.
      const ocr = error.code === "processing_failed" ? withoutCharge(recognized) : recognized;
      const latencyMs = ended.started_at ? Date.now() - ended.started_at.getTime() : 0;
      const outcome = { latencyMs, status: 422, tokens: 0, ocr, cpuMs: error.cpuMs };
      await settleIngestion(tx, ended.hold_id, outcome);
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
    "The document could not be processed after several attempts. Upload it again; if it fails again, report the job's id.",
  );
}

interface Ingestion {
  tokens: number;
  /** For pages whose text was recognized. */
  ocr?: RecognitionCharge;
  latencyMs: number;
  status: number;
  /** Of a document that is too complex. */
  cpuMs?: number;
}

export function settleIngestion(
  tx: Transaction,
  holdId: string,
  ingestion: Ingestion,
): Promise<unknown> {
  const costMicros = ingestCharge(ingestion) + failedParsingCost(ingestion.cpuMs ?? 0);
  const hold = { id: holdId, costMicros };
  return settleWithin(tx.query, hold, ingestUsage(ingestion));
}

function ingestCharge({ tokens, ocr = NOT_RECOGNIZED }: Ingestion): Micros {
  return (tokens > 0 ? ingestCost(tokens) : 0n) + ocr.micros;
}

/** The usage record of an ingestion. */
export function ingestUsage({ tokens, ocr, latencyMs, status, cpuMs }: Ingestion): Usage {
  return {
    endpoint: "/v1/kb/documents",
    model: null,
    kind: "ingest",
    promptTokens: tokens,
    completionTokens: 0,
    passages: null,
    rate: {
      ...(cpuMs
        ? { failed_parsing_usd_per_cpu_second: RATES.failedParsingUsdPerCpuSecond, cpu_ms: cpuMs }
        : { ingest_usd_per_thousand_tokens: RATES.ingestUsdPerThousandTokens }),
      ...ocr?.rate,
    },
    status,
    warningCodes: [],
    latencyMs,
    firstTokenMs: null,
    unbilledMicros: String(ocr?.unbilledMicros ?? 0n),
  };
}

/**
 * Removes what a job leaves that stored nothing: its queue row, the uploaded bytes and recognized pages. A file that was
 * never indexed keeps its bytes. Returns what the pages cost.
 */
export async function removeTraces(tx: Transaction, ended: EndedJob): Promise<RecognitionCharge> {
  await dequeue(tx, ended.queue_id);
  await tx.query(
    "documents_delete_upload",
    `DELETE FROM document_upload u WHERE document_id = $1 AND NOT is_original
        AND NOT EXISTS (SELECT FROM document d WHERE d.id = u.document_id AND d.account_id = u.account_id
                           AND d.purpose IS NOT NULL AND d.chunk_count = 0)`,
    [ended.document_id],
  );
  return deleteRecognizedPages(tx, ended.id);
}
