import "server-only";

import { newId } from "@/lib/id";
import type { KeyContext } from "@/lib/platform/auth/context";
import type { Session, Transaction } from "@/lib/platform/db/client";
import { resolveTitle } from "@/lib/reading/describe";
import type { OcrMode } from "@/lib/reading/ocr/ocr-mode";
import { boundTo, type Collection, uploadStore } from "../collections";
import { boundCondition } from "../read/selection";
import type { AcceptedDocument, UpdateDocument, UploadDocument } from "../schema";
import { endOpenJobs, settleCancelled } from "./cancel";
import { upsertCollection } from "./index-document";
import { type Described, warningsOfNotApplied } from "./not-applied";
import { queueJob } from "./queue-job";
import { insertMembers, rejectInaccessible } from "./store-members";
import { claimParts } from "./upload-slices";

/** Until the job has parsed the document. */
const UNREAD_MEDIA_TYPE = "application/octet-stream";

export interface Upload {
  ctx: KeyContext;
  input: UploadDocument;
  collection: Collection;
}

export interface Accepted {
  document: AcceptedDocument;
  /** Unless a job is queued, nothing will be charged. */
  isQueued: boolean;
  /** A replacement with the bytes that are searchable already: only its description may differ. */
  isSameVersion: boolean;
}

/** Finds or stores the uploaded document, and queues a job unless there is nothing to do. The queue must be open. */
export async function acceptUpload(tx: Transaction, upload: Upload): Promise<Accepted> {
  const { input, collection } = upload;
  // Also locks it, so that two uploads of the same document don't race.
  await upsertCollection(tx, collection);
  const existing = await findExisting(tx, upload);
  if (!existing) {
    const id = newId("document");
    await insertDocument(tx, id, upload);
    return { ...(await queue(tx, { ...upload, id, existing: null })), isSameVersion: false };
  }
  if (input.external_id !== undefined && existing.external_id === null) {
    const statement = "UPDATE document SET external_id = $2 WHERE id = $1";
    await tx.query("documents_set_external_id", statement, [existing.id, input.external_id]);
  }
  const find = input.on_duplicate === "replace" ? keep : reuse;
  const known = isReadOtherwise(existing, input) ? null : await find(tx, existing);
  if (!known) {
    return { ...(await replace(tx, upload, existing)), isSameVersion: false };
  }
  const hasSameBytes = existing.has_these_bytes || existing.awaits_these_bytes;
  const warnings = warningsOfNotApplied(existing, descriptionOf(input), { hasSameBytes });
  // Of the same version, they are applied.
  return known.isSameVersion ? known : { ...known, document: { ...known.document, ...warnings } };
}

/** A stored document with its newest job. */
interface ExistingDocument extends Described {
  id: string;
  external_id: string | null;
  has_own_title: boolean;
  /** Whether a version of it can be found. */
  is_indexed: boolean;
  has_these_bytes: boolean;
  job_id: string | null;
  status: string | null;
  /** The job that indexed it. */
  completed_job_id: string | null;
  /** Whether a version with these bytes is waiting or in progress. */
  awaits_these_bytes: boolean;
  /** How it was read, if that made a difference: null if only `force` would make one. */
  ocr: OcrMode | null;
  /** How the version is to be read that is waiting or in progress. */
  awaited_ocr: OcrMode | null;
  is_accessible: boolean;
}

/** Whether these bytes were, or are to be, read with another value of `ocr` than the upload names. */
function isReadOtherwise(existing: ExistingDocument, { ocr }: UploadDocument): boolean {
  if (ocr === undefined) {
    return false;
  }
  if (isOpen(existing) && existing.awaits_these_bytes) {
    return existing.awaited_ocr !== ocr;
  }
  const isForced = existing.ocr === null && ocr === "force";
  return existing.has_these_bytes && (isForced || (existing.ocr !== null && existing.ocr !== ocr));
}

/** By the external id, or else by the bytes: among documents without an external id, or all if the upload has none. */
async function findExisting(
  tx: Session,
  { ctx, input: { external_id, file }, collection }: Upload,
): Promise<ExistingDocument | undefined> {
  const [existing] = await tx.query<ExistingDocument>(
    "documents_find_existing",
    `SELECT d.id, d.external_id, d.title, d.source_type, d.url, d.published_at, d.metadata, d.standing,
            u.description AS awaited_description, d.has_own_title, d.chunk_count > 0 AS is_indexed,
            d.content_hash = $2 AS has_these_bytes, j.id AS job_id, j.status,
            (SELECT id FROM job WHERE document_id = d.id AND status = 'completed' ORDER BY id DESC LIMIT 1) AS completed_job_id,
            u.ocr AS awaited_ocr,
            (SELECT coalesce(report->>'ocr', CASE WHEN report->'recognized_pages' IS NOT NULL THEN 'auto' END)
               FROM job WHERE document_id = d.id AND status = 'completed' ORDER BY id DESC LIMIT 1) AS ocr,
            coalesce(u.content_hash, d.content_hash) = $2 AND j.status IN ('queued', 'processing') AS awaits_these_bytes,
            ${boundCondition("$4")} AS is_accessible
       FROM (SELECT * FROM document WHERE collection_id = $1 AND external_id = $3
             UNION ALL
             SELECT * FROM document
              WHERE collection_id = $1 AND content_hash = $2 AND ($3::text IS NULL OR external_id IS NULL)) d
       LEFT JOIN document_upload u ON u.document_id = d.id AND u.account_id = d.account_id AND NOT u.is_original
       LEFT JOIN LATERAL (SELECT id, status FROM job WHERE document_id = d.id ORDER BY id DESC LIMIT 1) j ON true
      ORDER BY d.external_id IS NOT DISTINCT FROM $3 DESC, d.id LIMIT 1`,
    [collection.id, file.hash, external_id ?? null, boundTo(ctx)],
  );
  rejectInaccessible(existing);
  return existing;
}

function isOpen({ status }: ExistingDocument): boolean {
  return status === "queued" || status === "processing";
}

/** The document as it is; null if nothing of it is searchable or will be. */
function reuse(_: Transaction, existing: ExistingDocument): Accepted | null {
  return existing.is_indexed ? indexed(existing) : pending(existing);
}

/** The document if it has these bytes, or soon will; null if they must be processed. */
async function keep(tx: Transaction, existing: ExistingDocument): Promise<Accepted | null> {
  if (existing.is_indexed && existing.has_these_bytes) {
    // The newest upload wins over a version in progress.
    await settleCancelled(tx, await endOpenJobs(tx, { documentIds: [existing.id] }));
    const known = indexed(existing);
    return known && { ...known, isSameVersion: true };
  }
  return existing.awaits_these_bytes ? pending(existing) : null;
}

function indexed({ id, completed_job_id: job_id }: ExistingDocument): Accepted | null {
  return job_id ? unqueued({ id, job_id, status: "completed" }) : null;
}

function pending(existing: ExistingDocument): Accepted | null {
  const { id, job_id, status } = existing;
  return job_id && status && isOpen(existing) ? unqueued({ id, job_id, status }) : null;
}

function unqueued(document: Pick<AcceptedDocument, "id" | "job_id" | "status">): Accepted {
  return {
    document: { object: "kb.document", ...document, deduplicated: true },
    isQueued: false,
    isSameVersion: false,
  };
}

/** Queues these bytes in place of what the document has, or of what is being processed for it. */
async function replace(tx: Transaction, upload: Upload, existing: ExistingDocument) {
  const { id } = existing;
  const cancelled = await endOpenJobs(tx, { documentIds: [id] });
  if (!existing.is_indexed) {
    await updateFirstVersion(tx, id, upload.input);
  }
  const queued = await queue(tx, { ...upload, id, existing });
  // Last, because it locks the account.
  await settleCancelled(tx, cancelled);
  return queued;
}

interface NewVersion extends Upload {
  id: string;
  existing: ExistingDocument | null;
}

/** Stores the bytes and queues their job. The description of an indexed document changes together with its text. */
async function queue(tx: Transaction, { ctx, input, collection, id, existing }: NewVersion) {
  const title = input.title ?? (existing?.has_own_title ? existing.title : null);
  const isNewVersion = existing?.is_indexed === true;
  await storeFile(tx, { id, collection, input, title, isNewVersion });
  const { sizeBytes } = input.file;
  const jobId = await queueJob(tx, ctx, { documentId: id, collectionId: collection.id, sizeBytes });
  const document: AcceptedDocument = {
    ...{ object: "kb.document", id, job_id: jobId, status: "queued" },
    deduplicated: existing !== null,
  };
  return { document, isQueued: true };
}

interface NewFile {
  id: string;
  collection: Collection;
  input: UploadDocument;
  title?: string | null;
  isNewVersion?: boolean;
}

/** Stores the bytes that the document's next job reads, in place of those that still wait for one. */
export async function storeFile(
  tx: Transaction,
  { id, collection: { accountId }, input, title = null, isNewVersion = false }: NewFile,
): Promise<void> {
  const { content, sizeBytes, name, hash } = input.file;
  const stored = content instanceof Uint8Array ? null : content;
  await tx.query(
    "documents_delete_waiting",
    "DELETE FROM document_upload WHERE document_id = $1 AND account_id = $2 AND NOT is_original",
    [id, accountId],
  );
  await tx.query(
    "documents_insert_upload",
    `INSERT INTO document_upload (document_id, account_id, bytes, file_id, size_bytes, name, title, ocr, content_hash, description)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[id, accountId, stored ? null : content, stored?.uploadId ?? null, sizeBytes],
      ...[name, title, input.ocr ?? "auto"],
      ...(isNewVersion ? [hash, JSON.stringify(storedDescription(input))] : [null, null]),
    ],
  );
  if (stored) {
    await claimParts(tx, { accountId, ...stored });
  }
}

/** What an upload says about its document. */
export function descriptionOf({
  title,
  source_type,
  metadata,
  url,
  published_at,
  standing,
}: UploadDocument): UpdateDocument {
  const fields = { title, source_type, metadata, url, published_at, standing };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** PostgreSQL would read a date without a time in its own time zone. */
function storedDescription(input: UploadDocument): UpdateDocument {
  const { published_at, ...fields } = descriptionOf(input);
  return { ...fields, ...(published_at && { published_at: new Date(published_at).toISOString() }) };
}

/** A new document, which goes into the store that a bound key uploads to. Throws as `uploadStore` and `insertMembers` do. */
export async function insertDocument(
  tx: Session,
  id: string,
  { ctx, input, collection, purpose = null }: Upload & { purpose?: string | null },
): Promise<void> {
  const storeId = uploadStore(ctx, collection);
  await tx.query(
    "documents_insert",
    `INSERT INTO document (id, collection_id, account_id, scope, external_id, title, source_type, url, published_at,
                           metadata, media_type, standing, has_own_title, size_bytes, content_hash, file_name, purpose)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [
      ...[id, collection.id, collection.accountId, collection.scope, input.external_id ?? null],
      ...[...firstVersionValues(input), purpose],
    ],
  );
  if (storeId) {
    await insertMembers(tx, { id: storeId, collection, isBuiltIn: false }, [id]);
  }
}

/** The newest upload describes a document that has no searchable version. */
async function updateFirstVersion(tx: Session, id: string, input: UploadDocument): Promise<void> {
  await tx.query(
    "documents_update_first",
    `UPDATE document SET title = $2, source_type = $3, url = $4, published_at = $5, metadata = $6, media_type = $7,
                         standing = $8, has_own_title = $9, size_bytes = $10, content_hash = $11, file_name = $12
      WHERE id = $1`,
    [id, ...firstVersionValues(input)],
  );
}

function firstVersionValues(input: UploadDocument): unknown[] {
  return [
    provisionalTitle(input),
    input.source_type ?? "document",
    input.url ?? null,
    input.published_at ? new Date(input.published_at) : null,
    JSON.stringify(input.metadata ?? {}),
    UNREAD_MEDIA_TYPE,
    input.standing ?? "current",
    input.title !== undefined,
    input.file.sizeBytes,
    input.file.hash,
    input.file.name,
  ];
}

/** The caller's title, the file's name or the first line. The job may find a better one in the document. */
function provisionalTitle({ title, file: { name, head } }: UploadDocument): string {
  const text = name ? "" : new TextDecoder().decode(head);
  return resolveTitle({ title: title ?? null, own: null, name, text });
}
