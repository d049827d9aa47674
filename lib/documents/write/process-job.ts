import "server-only";

import { ingestCost } from "@/lib/billing/rates";
import { settle } from "@/lib/billing/write";
import { query, type Session, transaction } from "@/lib/db";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { type ChunkedText, chunkBlocks } from "../chunk";
import { DocumentFault } from "../fault";
import { decodeText, parseMarkdown, parsePlain } from "../parse";
import type { JobReport } from "../schema";
import { embedChunks, type IndexedDocument, indexDocument, lockCollection } from "./index-document";
import { type Ingestion, ingestUsage } from "./upload";

interface ClaimedJob extends Record<string, unknown> {
  id: string;
  hold_id: string | null;
  started_at: Date;
}

interface PendingDocument extends Record<string, unknown> {
  id: string;
  collection_id: string;
  account_id: string | null;
  title: string;
  source_type: string;
  media_type: string;
  bytes: Uint8Array;
}

/**
 * Makes the document of a job searchable. What can never work ends the job as failed; anything else is
 * thrown, for the queue to try again. A job that has ended, or whose document is gone, is left alone.
 */
export async function processJob(jobId: string): Promise<void> {
  const job = await claim(jobId);
  if (!job) {
    return;
  }
  try {
    await run(job);
  } catch (thrown) {
    if (!(thrown instanceof DocumentFault)) {
      throw thrown;
    }
    await failJob(jobId, thrown);
  }
}

/** Ends a job as failed and gives its money back; does nothing when it has ended already. */
export async function failJob(jobId: string, fault: DocumentFault): Promise<void> {
  await transaction(async (tx) => {
    await lockCollectionOfJob(tx, jobId);
    const [job] = await tx.query<{ hold_id: string | null; document_id: string }>(
      "documents_fail_job",
      `UPDATE job SET status = 'failed', error_code = $2, error_message = $3, finished_at = now()
        WHERE id = $1 AND status IN ('queued', 'processing') RETURNING hold_id, document_id`,
      [jobId, fault.code, fault.message],
    );
    if (job) {
      await tx.query(
        "documents_drop_upload",
        "DELETE FROM document_upload WHERE document_id = $1",
        [job.document_id],
      );
      await charge(tx, job.hold_id, { tokens: 0, latencyMs: 0, status: 422 });
    }
  });
  log.info({ job_id: jobId, code: fault.code }, "document job failed");
}

async function lockCollectionOfJob(tx: Session, jobId: string): Promise<void> {
  const [job] = await tx.query<{ document_id: string }>(
    "documents_of_job",
    "SELECT document_id FROM job WHERE id = $1",
    [jobId],
  );
  await lockCollection(tx, { documentId: job?.document_id ?? "" });
}

async function claim(jobId: string): Promise<ClaimedJob | null> {
  const [job] = await query<ClaimedJob>(
    "documents_claim_job",
    `UPDATE job SET status = 'processing', stage = 'parsing', progress = 0.1, attempts = attempts + 1,
                    started_at = coalesce(started_at, now())
      WHERE id = $1 AND status IN ('queued', 'processing') RETURNING id, hold_id, started_at`,
    [jobId],
  );
  return job ?? null;
}

async function run(job: ClaimedJob): Promise<void> {
  const [pending] = await query<PendingDocument>(
    "documents_pending",
    `SELECT d.id, d.collection_id, d.account_id, d.title, d.source_type, d.media_type, u.bytes
       FROM job j JOIN document d ON d.id = j.document_id JOIN document_upload u ON u.document_id = d.id
      WHERE j.id = $1`,
    [job.id],
  );
  if (!pending) {
    throw new DocumentFault("processing_failed", "The document's bytes are gone. Upload it again.");
  }
  const chunked = await chunkText(pending);
  await advance(job.id, "embedding", 0.5);
  const vectors = await embedChunks(pending.title, chunked.chunks);
  await advance(job.id, "indexing", 0.8);
  await transaction((tx) =>
    complete(tx, { job, document: toIndexed(pending) }, { ...chunked, vectors }),
  );
}

/** Canonical text and chunks of a document. Throws DocumentFault when there is nothing to search in it. */
export async function chunkText(document: {
  media_type: string;
  bytes: Uint8Array;
}): Promise<ChunkedText> {
  const text = decodeText(document.bytes);
  const chunked = await chunkBlocks(
    document.media_type === "text/markdown" ? parseMarkdown(text) : parsePlain(text),
    env.MAX_CHUNKS_PER_DOCUMENT,
  );
  if (chunked.chunks.length === 0) {
    throw new DocumentFault(
      "no_extractable_text",
      "The document holds no text. Upload one that does.",
    );
  }
  return chunked;
}

async function advance(jobId: string, stage: string, progress: number): Promise<void> {
  await query(
    "documents_advance_job",
    "UPDATE job SET stage = $2, progress = $3 WHERE id = $1 AND status = 'processing'",
    [jobId, stage, progress],
  );
}

/** The index, the end of the job and its charge are one transaction: a kill leaves all or nothing. */
async function complete(
  tx: Session,
  { job, document }: { job: ClaimedJob; document: IndexedDocument },
  indexed: Parameters<typeof indexDocument>[2],
): Promise<void> {
  await lockCollection(tx, { documentId: document.id });
  const tokens = indexed.chunks.reduce((sum, chunk) => sum + chunk.tokenCount, 0);
  const report: JobReport = {
    pages: null,
    empty_pages: null,
    characters: indexed.text.length,
    chunks: indexed.chunks.length,
    tokens,
    warnings: [],
  };
  const [ended] = await tx.query(
    "documents_complete_job",
    `UPDATE job SET status = 'completed', stage = NULL, progress = 1, report = $2, finished_at = now()
      WHERE id = $1 AND status = 'processing'
        AND EXISTS (SELECT 1 FROM document d WHERE d.id = job.document_id) RETURNING id`,
    [job.id, JSON.stringify(report)],
  );
  if (ended) {
    await indexDocument(tx, document, indexed);
    const latencyMs = Date.now() - job.started_at.getTime();
    await charge(tx, job.hold_id, { tokens, latencyMs, status: 202 });
  }
}

async function charge(tx: Session, holdId: string | null, used: Ingestion): Promise<void> {
  if (holdId) {
    await settle(
      { id: holdId, costMicros: used.tokens ? ingestCost(used.tokens) : 0n },
      ingestUsage(used),
      tx.query,
    );
  }
}

function toIndexed(row: PendingDocument): IndexedDocument {
  return {
    id: row.id,
    collectionId: row.collection_id,
    accountId: row.account_id,
    title: row.title,
    sourceType: row.source_type,
  };
}
