import "server-only";

import pLimit from "p-limit";
import { type AppError, conflict } from "@/lib/errors";
import { newId } from "@/lib/id";
import { query, type Transaction, transaction } from "@/lib/platform/db/client";
import { drainInBatches } from "@/lib/platform/db/drain-in-batches";
import type { ReceivedFile } from "@/lib/reading/receive/form-parser";
import { processSingleton } from "@/lib/singleton";
import type { AcceptedDocument } from "../schema";
import type { StoredParts, UploadedFile } from "../uploaded-file";

/** Slices that a process writes at once, so that uploads leave database connections to everyone else. */
const MAX_CONCURRENT_WRITES = 3;
/** A request's body may take an hour. */
const REQUEST_EXPIRY_HOURS = 2;
/** A pending upload that has expired can be seen for so long, and a completed one completed again. */
const REMEMBERED_HOURS = 24;
const BATCH_UPLOADS = 20;

const writes = processSingleton("upload writes", () => pLimit(MAX_CONCURRENT_WRITES));

/** Writes one part of an open upload while it arrives. Without its last slice, which has the hash, it doesn't count. */
export function writePart({ uploadId, accountId }: { uploadId: string; accountId: string }) {
  const id = newId("part");
  let sizeBytes = 0;

  async function store(slice: Uint8Array): Promise<void> {
    const inserted = await writes(() =>
      query(
        "documents_insert_slice",
        // The lock keeps slices from an upload that is being completed or canceled.
        `INSERT INTO upload_slice (part_id, account_id, upload_id, part_offset, bytes, size_bytes)
         SELECT $1, u.account_id, u.id, $4::int, $5::bytea, $6::int
           FROM (SELECT id, account_id FROM upload
                  WHERE id = $2 AND account_id = $3 AND status = 'pending' AND expires_at > now() FOR SHARE) u
         RETURNING part_id`,
        [id, uploadId, accountId, sizeBytes, slice, slice.byteLength],
      ),
    );
    if (inserted.length === 0) {
      throw uploadEnded();
    }
    sizeBytes += slice.byteLength;
  }

  /** A part with a number takes the place of the one that had it. */
  async function finish(
    { rest, hash }: Pick<ReceivedFile, "rest" | "hash">,
    number: number | null = null,
  ): Promise<void> {
    await writes(() =>
      transaction(async (tx) => {
        if (await lockUpload(tx, { accountId, uploadId })) {
          throw uploadEnded();
        }
        await tx.query(
          "documents_insert_last_slice",
          `INSERT INTO upload_slice (part_id, account_id, upload_id, part_offset, bytes, size_bytes, part_hash, part_number)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [id, accountId, uploadId, sizeBytes, rest, rest.byteLength, hash, number],
        );
        if (number !== null) {
          await tx.query(
            "documents_replace_part",
            `DELETE FROM upload_slice WHERE upload_id = $1 AND account_id = $2 AND part_id IN
               (SELECT part_id FROM upload_slice
                 WHERE upload_id = $1 AND account_id = $2 AND part_number = $3 AND part_id <> $4)`,
            [uploadId, accountId, number, id],
          );
        }
      }),
    );
  }

  async function discard(): Promise<void> {
    await query(
      "documents_delete_part",
      "DELETE FROM upload_slice WHERE part_id = $1 AND account_id = $2 AND upload_id = $3",
      [id, accountId, uploadId],
    );
  }

  return { id, store, finish, discard };
}

export function uploadEnded(): AppError {
  return conflict(
    "The upload was completed or canceled, or has expired. Create another one.",
    "id",
  );
}

/**
 * Stores the file of one request while it arrives. One of at most one slice isn't stored here, but together with its
 * document. `discard` deletes what no document has taken over.
 */
export function writeFile({ accountId, maxBytes }: { accountId: string; maxBytes: number }) {
  const uploadId = newId("upload");
  let part: ReturnType<typeof writePart> | undefined;

  async function store(slice: Uint8Array): Promise<void> {
    if (!part) {
      part = writePart({ uploadId, accountId });
      await query(
        "documents_insert_direct_upload",
        `INSERT INTO upload (id, account_id, size_bytes, expires_at)
         VALUES ($1, $2, $3, now() + make_interval(hours => $4))`,
        [uploadId, accountId, maxBytes, REQUEST_EXPIRY_HOURS],
      );
    }
    await part.store(slice);
  }

  async function finish({ rest, ...file }: ReceivedFile): Promise<UploadedFile> {
    if (!part) {
      return { ...file, content: rest };
    }
    await part.finish({ rest, hash: file.hash });
    const { sizeBytes } = file;
    return { ...file, content: { uploadId, parts: [{ id: part.id, sizeBytes }] } };
  }

  async function discard(): Promise<void> {
    if (part) {
      const statement = "DELETE FROM upload WHERE id = $1 AND account_id = $2";
      await query("documents_delete_upload_row", statement, [uploadId, accountId]);
    }
  }

  return { store, finish, discard };
}

/** Makes parts of an upload, in this order, the bytes of the document's file of the same id. None is copied. */
export async function claimParts(
  tx: Transaction,
  { accountId, uploadId, parts }: StoredParts & { accountId: string },
): Promise<void> {
  let next = 0;
  const starts = parts.map(({ sizeBytes }) => {
    const start = next;
    next += sizeBytes;
    return start;
  });
  const claimed = await tx.query<{ size_bytes: number }>(
    "documents_claim_parts",
    `UPDATE upload_slice s SET upload_id = NULL, file_id = $1, position = p.start + s.part_offset
       FROM unnest($3::text[], $4::int[]) AS p (part_id, start)
      WHERE s.part_id = p.part_id AND s.account_id = $2 AND s.upload_id = $1 RETURNING s.size_bytes`,
    [uploadId, accountId, parts.map(({ id }) => id), starts],
  );
  // A part may have been replaced since it was read.
  if (claimed.reduce((sum, slice) => sum + slice.size_bytes, 0) !== next) {
    throw conflict("Parts of the upload changed meanwhile. Complete it again.", "part_ids");
  }
}

/** Locks an open upload until the transaction ends. Returns what completing it returned if it is completed already. */
export async function lockUpload(
  tx: Transaction,
  { accountId, uploadId }: { accountId: string; uploadId: string },
): Promise<AcceptedDocument | null> {
  const [upload] = await tx.query<{ is_open: boolean; answer: AcceptedDocument | null }>(
    "documents_lock_upload",
    `SELECT status = 'pending' AND expires_at > now() AS is_open, answer FROM upload
      WHERE id = $1 AND account_id = $2 FOR UPDATE`,
    [uploadId, accountId],
  );
  if (upload?.answer) {
    return upload.answer;
  }
  if (!upload?.is_open) {
    throw uploadEnded();
  }
  return null;
}

/** Ends an upload, and deletes the parts that no document has taken over. */
export async function closeUpload(
  tx: Transaction,
  { accountId, uploadId }: { accountId: string; uploadId: string },
  answer: AcceptedDocument | null,
): Promise<void> {
  await tx.query(
    "documents_close_upload",
    "UPDATE upload SET status = $3, answer = $4 WHERE id = $1 AND account_id = $2 AND status = 'pending'",
    [
      ...[uploadId, accountId],
      ...(answer ? ["completed", JSON.stringify(answer)] : ["cancelled", null]),
    ],
  );
  await tx.query(
    "documents_delete_unclaimed",
    "DELETE FROM upload_slice WHERE upload_id = $1 AND account_id = $2",
    [uploadId, accountId],
  );
}

/** Deletes the bytes of uploads that have expired, and what is left of them a day later. Returns how many expired. */
export function deleteExpiredUploads(): Promise<number> {
  return drainInBatches(BATCH_UPLOADS, async () => {
    const expired = await transaction(async (tx) => {
      const uploads = await tx.query<{ id: string }>(
        "documents_expired_uploads",
        `SELECT id FROM upload u WHERE expires_at < now()
            AND (owner_id IS NULL OR expires_at < now() - make_interval(hours => $1)
                 OR EXISTS (SELECT FROM upload_slice s WHERE s.upload_id = u.id AND s.account_id = u.account_id))
          ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
        [REMEMBERED_HOURS, BATCH_UPLOADS],
      );
      const ids = [uploads.map(({ id }) => id)];
      await tx.query(
        "documents_delete_expired_slices",
        "DELETE FROM upload_slice WHERE upload_id = ANY($1)",
        ids,
      );
      await tx.query(
        "documents_delete_expired_uploads",
        `DELETE FROM upload WHERE id = ANY($1)
            AND (owner_id IS NULL OR expires_at < now() - make_interval(hours => $2))`,
        [...ids, REMEMBERED_HOURS],
      );
      return uploads;
    });
    return expired.length;
  });
}
