import "server-only";

import { conflict } from "@/lib/errors";
import { newId } from "@/lib/id";
import type { KeyContext } from "@/lib/platform/auth/context";
import { limitUploads } from "@/lib/platform/auth/limits";
import { type Session, type Transaction, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { boundTo, PUBLIC_COLLECTION, writableCollection, writableScope } from "../collections";
import type { CreateFile, DeletedFile, FileObject } from "../file-schema";
import { getFile, getFileRow } from "../read/files";
import { boundCondition } from "../read/selection";
import { insertDocument, storeFile, type Upload } from "./accept-upload";
import { upsertCollection } from "./index-document";
import { deleteDocument } from "./remove";
import { rejectInaccessible } from "./store-members";
import { closeUpload, lockUpload } from "./upload-slices";

/** Files of an account that aren't indexed. Adding them to a store, or deleting them, makes room. */
const MAX_WAITING_FILES = 10_000;

/**
 * Stores a file without indexing it. The same bytes in the same collection are one file, as they are one document. Throws
 * insufficient_scope, rate_limit_exceeded, or conflict when the account's files take up all they may.
 */
export async function createFile(
  ctx: KeyContext,
  { file, purpose, scope = writableScope(ctx) }: CreateFile,
): Promise<FileObject> {
  const collection = writableCollection(ctx, scope);
  await limitUploads(ctx.account.id);
  const input = { scope, on_duplicate: "reuse" as const, file };
  const id = await transaction((tx) => acceptFile(tx, { ctx, collection, input }, purpose));
  return getFile(ctx, id);
}

async function acceptFile(tx: Transaction, upload: Upload, purpose: string): Promise<string> {
  const { file } = upload.input;
  const { id: accountId } = upload.ctx.account;
  const stored =
    file.content instanceof Uint8Array ? null : { accountId, uploadId: file.content.uploadId };
  if (stored) {
    await lockUpload(tx, stored);
  }
  // Also locks it, so that two uploads of the same file don't race.
  await upsertCollection(tx, upload.collection);
  const existing = await findStoredFile(tx, upload, purpose);
  const id = existing?.id ?? newId("document");
  if (!existing?.has_content) {
    await requireSpace(tx, accountId, file.sizeBytes);
    if (!existing) {
      await insertDocument(tx, id, { ...upload, purpose });
    }
    await storeFile(tx, { id, ...upload });
  }
  if (stored) {
    // What the file took over isn't part of the upload any more.
    await closeUpload(tx, stored, null);
  }
  return id;
}

/** The file with these bytes, and whether they, or an index of them, are stored. */
async function findStoredFile(
  tx: Session,
  { ctx, collection, input }: Upload,
  purpose: string,
): Promise<{ id: string; has_content: boolean } | undefined> {
  const [existing] = await tx.query<{ id: string; has_content: boolean; is_accessible: boolean }>(
    "files_find_same",
    `UPDATE document d SET purpose = coalesce(purpose, $4) WHERE d.id =
       (SELECT id FROM document WHERE collection_id = $1 AND account_id = $2 AND content_hash = $3
         ORDER BY external_id IS NOT NULL, id LIMIT 1) AND d.account_id = $2
     RETURNING d.id, d.chunk_count > 0 OR EXISTS (SELECT FROM document_upload u
        WHERE u.document_id = d.id AND u.account_id = d.account_id AND u.content_hash IS NULL) AS has_content,
       ${boundCondition("$5")} AS is_accessible`,
    [collection.id, collection.accountId, input.file.hash, purpose, boundTo(ctx)],
  );
  rejectInaccessible(existing);
  return existing;
}

async function requireSpace(tx: Session, accountId: string, bytes: number): Promise<void> {
  const [stored] = await tx.query<{ bytes: number; waiting: number }>(
    "files_stored",
    `SELECT coalesce(sum(size_bytes), 0)::float8 AS bytes, count(*) FILTER (WHERE NOT is_original)::int AS waiting
       FROM document_upload WHERE account_id = $1`,
    [accountId],
  );
  const isFull = (stored?.bytes ?? 0) + bytes > env.MAX_ORIGINAL_BYTES_PER_ACCOUNT;
  if (isFull || (stored?.waiting ?? 0) >= MAX_WAITING_FILES) {
    throw conflict(
      isFull
        ? "The account's files take up as much space as they may. Delete files that you don't need."
        : `The account has ${MAX_WAITING_FILES} files that aren't indexed, the most allowed. Add them to a vector store, or delete them.`,
      "file",
    );
  }
}

/** Deletes a file with its document, also from every store. Throws not_found, or insufficient_scope for a public one. */
export async function deleteFile(ctx: KeyContext, id: string): Promise<DeletedFile> {
  const { collection_id } = await getFileRow(ctx, id);
  if (collection_id === PUBLIC_COLLECTION.id) {
    writableCollection(ctx, PUBLIC_COLLECTION.scope);
  }
  await deleteDocument(ctx, id);
  return { id, object: "file", deleted: true };
}
