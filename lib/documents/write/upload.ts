import "server-only";

import type { KeyContext } from "@/lib/auth/context";
import { limitUploads } from "@/lib/auth/limits";
import type { Micros } from "@/lib/billing/money";
import { failedParsingCost, ingestCost } from "@/lib/billing/rates";
import { type Hold, placeHold, renewHold } from "@/lib/billing/write/hold";
import { settle } from "@/lib/billing/write/settle";
import { query, type Session, type Transaction, transaction } from "@/lib/db/client";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/id";
import { enqueue, openJobQueue } from "@/lib/jobs/vendor";
import { log } from "@/lib/log";
import { type Collection, writableCollection } from "../collections";
import { resolveTitle } from "../describe";
import type { AcceptedDocument, UploadDocument } from "../schema";
import { ingestUsage } from "./end-job";
import { findPlace } from "./fair-queue";
import { upsertCollection } from "./index-document";

/** A queued job may wait long. Its money stays reserved for a day, and the scheduler renews the hold. */
export const JOB_LEASE_SECONDS = 24 * 60 * 60;

const HEAD_BYTES = 4096;
/** Until the job has parsed the document. */
const UNREAD_MEDIA_TYPE = "application/octet-stream";

/**
 * Stores a document and queues the job that makes it searchable. The same bytes in the same collection are one
 * document, queued again only if its last job failed or was canceled. Throws insufficient_scope, 402 or
 * rate_limit_exceeded.
 */
export async function uploadDocument(
  ctx: KeyContext,
  input: UploadDocument,
): Promise<AcceptedDocument> {
  const collection = writableCollection(ctx, input.scope);
  await limitUploads(ctx.account.id);
  await openJobQueue();
  const hold = await placeHold(ctx, worstCase(input.file.bytes.byteLength));
  try {
    const accepted = await transaction((tx) => accept(tx, { ctx, input, collection }));
    if (!accepted.isQueued) {
      await releaseHold(hold, 202);
    }
    return accepted.document;
  } catch (thrown) {
    const status = thrown instanceof AppError ? thrown.status : 500;
    await releaseHoldUnlessQueued(hold, status).catch((err: unknown) =>
      log.error({ err, request_id: hold.id }, "could not release the hold of a failed upload"),
    );
    throw thrown;
  }
}

/**
 * Either the document is read, or its parsing uses up its CPU time. A token of plain text has at least one byte; the job
 * covers compressed text once it is parsed.
 */
function worstCase(bytes: number): Micros {
  const failed = failedParsingCost(env.PARSE_TIMEOUT_MS);
  const read = ingestCost(bytes);
  if (read > failed) {
    return read;
  }
  return failed;
}

/** If only the answer of the commit was lost, the job is queued and will settle the hold. */
async function releaseHoldUnlessQueued(hold: Hold, status: number): Promise<void> {
  const statement = "SELECT id FROM job WHERE hold_id = $1";
  const jobs = await query("documents_job_of_hold", statement, [hold.id]);
  if (jobs.length === 0) {
    await releaseHold(hold, status);
  }
}

interface Upload {
  ctx: KeyContext;
  input: UploadDocument;
  collection: Collection;
}

/** Unless a job is queued, nothing will be charged. */
async function accept(
  tx: Transaction,
  upload: Upload,
): Promise<{ document: AcceptedDocument; isQueued: boolean }> {
  const { ctx, input, collection } = upload;
  // Also locks it, so that two uploads of the same bytes don't race.
  await upsertCollection(tx, collection);
  const [existing] = await tx.query<{ id: string; job_id: string | null; status: string | null }>(
    "documents_find_duplicate",
    `SELECT d.id, j.id AS job_id, j.status FROM document d
       LEFT JOIN LATERAL (SELECT id, status FROM job WHERE document_id = d.id ORDER BY id DESC LIMIT 1) j ON true
      WHERE d.collection_id = $1 AND d.content_hash = $2`,
    [collection.id, input.file.hash],
  );
  const id = existing?.id ?? newId("document");
  const document = { object: "kb.document" as const, id, deduplicated: existing !== undefined };
  const { job_id = null, status = null } = existing ?? {};
  if (job_id && status !== "failed" && status !== "cancelled") {
    return { document: { ...document, job_id, status: status ?? "completed" }, isQueued: false };
  }
  const bytes = input.file.bytes.byteLength;
  const place = await findPlace(tx, { accountId: ctx.account.id, bytes });
  await (existing ? updateDescription(tx, id, input) : insertDocument(tx, id, upload));
  await tx.query(
    "documents_insert_upload",
    `INSERT INTO document_upload (document_id, account_id, bytes, name, title, ocr) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (document_id, account_id)
       DO UPDATE SET name = excluded.name, title = excluded.title, ocr = excluded.ocr`,
    [
      id,
      collection.accountId,
      input.file.bytes,
      input.file.name,
      input.title ?? null,
      input.ocr ?? "auto",
    ],
  );
  const jobId = newId("job");
  const queueId = await enqueue(tx, { id: jobId, ...place });
  await tx.query(
    "documents_insert_job",
    `INSERT INTO job (id, account_id, document_id, hold_id, collection_id, queue_id, virtual_finish, is_large, status)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'queued')`,
    [
      ...[jobId, ctx.account.id, id, ctx.requestId, collection.id, queueId],
      ...[place.virtualFinish, place.isLarge],
    ],
  );
  // Together with the job: without one, nobody would release the hold for a day.
  await renewHold(ctx.requestId, { run: tx.query, leaseSeconds: JOB_LEASE_SECONDS });
  return { document: { ...document, job_id: jobId, status: "queued" }, isQueued: true };
}

async function insertDocument(
  tx: Session,
  id: string,
  { input, collection }: Upload,
): Promise<void> {
  await tx.query(
    "documents_insert",
    `INSERT INTO document (id, collection_id, account_id, scope, title, source_type, url, published_at,
                           metadata, media_type, size_bytes, content_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      id,
      collection.id,
      collection.accountId,
      collection.scope,
      ...descriptionValues(input),
      input.file.bytes.byteLength,
      input.file.hash,
    ],
  );
}

/** The newest upload describes a document that is queued again. */
async function updateDescription(tx: Session, id: string, input: UploadDocument): Promise<void> {
  await tx.query(
    "documents_update_metadata",
    `UPDATE document SET title = $2, source_type = $3, url = $4, published_at = $5, metadata = $6,
                         media_type = $7 WHERE id = $1`,
    [id, ...descriptionValues(input)],
  );
}

/** Title, source type, URL, publication date, metadata and media type, in this order. */
function descriptionValues(input: UploadDocument): unknown[] {
  return [
    provisionalTitle(input),
    input.source_type ?? "document",
    input.url ?? null,
    input.published_at ? new Date(input.published_at) : null,
    JSON.stringify(input.metadata ?? {}),
    UNREAD_MEDIA_TYPE,
  ];
}

/** The caller's title, the file's name or the first line. The job may find a better one in the document. */
function provisionalTitle({ title, file: { name, bytes } }: UploadDocument): string {
  const text = name ? "" : new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  return resolveTitle({ title: title ?? null, own: null, name, text });
}

async function releaseHold(hold: Hold, status: number): Promise<void> {
  await settle({ ...hold, costMicros: 0n }, ingestUsage({ tokens: 0, latencyMs: 0, status }));
}
