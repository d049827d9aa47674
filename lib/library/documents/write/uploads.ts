import "server-only";

import { AppError, conflict, invalidRequest } from "@/lib/errors";
import { newId } from "@/lib/id";
import { ingestCost } from "@/lib/money/billing/rates";
import { requireFunds } from "@/lib/money/billing/write/hold";
import type { KeyContext } from "@/lib/platform/auth/context";
import { lockList } from "@/lib/platform/db/advisory-lock";
import { query, transaction } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { documentTooLarge, HEAD_BYTES } from "@/lib/reading/receive/form-parser";
import { requireWritableCollection, writableScope } from "../collections";
import {
  findUpload,
  getUpload,
  listParts,
  ownerOf,
  toUpload,
  type Uploader,
} from "../read/uploads";
import { openHash } from "../receive/receive-form";
import type { AcceptedDocument } from "../schema";
import type { AddPart, CompleteUpload, CreateUpload, Upload, UploadPart } from "../upload-schema";
import type { UploadedFile } from "../uploaded-file";
import { uploadDocument } from "./upload";
import { closeUpload, lockUpload, uploadEnded } from "./upload-slices";

const EXPIRY_MINUTES = 60;

/**
 * Opens an upload, whose parts can be sent in any order and again. Throws payload_too_large, insufficient_scope, 402, or
 * rate_limit_exceeded when the account has reached its limit on open uploads.
 */
export async function createUpload(ctx: Uploader, input: CreateUpload): Promise<Upload> {
  if (input.bytes > env.MAX_UPLOAD_BYTES) {
    throw documentTooLarge(env.MAX_UPLOAD_BYTES, "bytes");
  }
  requireWritableCollection(ctx);
  await requireFunds(ctx, ingestCost(input.bytes));
  const id = newId("upload");
  await transaction(async (tx) => {
    const { id: accountId } = ctx.account;
    await lockList(tx, "uploads", accountId);
    const [open] = await tx.query<{ uploads: number; bytes: number }>(
      "documents_open_uploads",
      `SELECT count(*)::int AS uploads, coalesce(sum(size_bytes), 0)::float8 AS bytes FROM upload
        WHERE account_id = $1 AND status = 'pending' AND expires_at > now() AND owner_id IS NOT NULL`,
      [accountId],
    );
    rejectTooManyOpen({ uploads: open?.uploads ?? 0, bytes: (open?.bytes ?? 0) + input.bytes });
    await tx.query(
      "documents_insert_upload_row",
      `INSERT INTO upload (id, account_id, owner_id, name, purpose, size_bytes, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(mins => $7))`,
      [id, accountId, ownerOf(ctx), input.filename, input.purpose, input.bytes, EXPIRY_MINUTES],
    );
  });
  return getUpload(ctx, id);
}

function rejectTooManyOpen({ uploads, bytes }: { uploads: number; bytes: number }): void {
  const most = env.MAX_OPEN_UPLOADS_PER_ACCOUNT;
  const mostBytes = env.MAX_OPEN_UPLOAD_BYTES_PER_ACCOUNT;
  if (uploads >= most || bytes > mostBytes) {
    throw new AppError(
      "rate_limit_exceeded",
      `The account has reached its limit on open uploads: ${most}, or ${Math.floor(mostBytes / 1024 / 1024)} MB together. Complete or cancel one, or wait: each expires an hour after it was created.`,
      { headers: { "retry-after": "60" } },
    );
  }
}

/** Completes a part whose bytes have arrived. Throws invalid_request if they aren't those of its checksum. */
export async function addPart(
  { id: uploadId }: { id: string },
  { data, part_number, sha256 }: AddPart,
): Promise<UploadPart> {
  const { file, finish, id } = data;
  const hash = Buffer.from(file.hash).toString("hex");
  if (sha256 !== undefined && sha256 !== hash) {
    const message = `The part has another SHA-256: ${hash}. Its bytes may have been damaged on the way; send it again.`;
    throw invalidRequest(message, "sha256");
  }
  await finish(part_number ?? null);
  return {
    id,
    object: "upload.part",
    upload_id: uploadId,
    created_at: Math.floor(Date.now() / 1000),
    part_number: part_number ?? null,
    bytes: file.sizeBytes,
    sha256: hash,
  };
}

/**
 * Makes the parts one document, as `uploadDocument` does for `key`. Completing again returns the same document. Throws
 * not_found, conflict for an upload that has ended, invalid_request if the parts aren't the file that was declared, and
 * what `uploadDocument` throws.
 */
export async function completeUpload(
  { ctx, key, id }: { ctx: Uploader; key: KeyContext; id: string },
  { part_ids, md5, sha256, scope, ...fields }: CompleteUpload,
): Promise<Upload> {
  const upload = await findUpload(ctx, id);
  if (upload.answer) {
    return toUpload(upload, []);
  }
  if (upload.status !== "pending") {
    throw uploadEnded();
  }
  const parts = inOrder(await listParts(ctx, id), part_ids);
  requireTotal(parts, upload.size_bytes);
  const { head, hashes } = await hashParts(ctx, parts);
  requireHash("md5", md5, hashes.md5);
  requireHash("sha256", sha256, hashes.sha256);
  const file: UploadedFile = {
    name: upload.name,
    sizeBytes: upload.size_bytes,
    hash: new Uint8Array(Buffer.from(hashes.sha256, "hex")),
    head,
    content: { uploadId: id, parts: parts.map(({ id, bytes }) => ({ id, sizeBytes: bytes })) },
  };
  const document = await uploadDocument(key, {
    ...fields,
    scope: scope ?? writableScope(key),
    file,
  });
  await query(
    "documents_set_purpose",
    "UPDATE document SET purpose = $3 WHERE id = $1 AND account_id = $2 AND purpose IS NULL",
    [document.id, ctx.account.id, upload.purpose],
  );
  return getUpload(ctx, id);
}

/** The parts that the caller named, or all by number. */
function inOrder(parts: UploadPart[], ids: readonly string[] | undefined): UploadPart[] {
  if (!ids) {
    if (parts.some(({ part_number }) => part_number === null)) {
      const message =
        "Some parts have no number, so their order isn't known. Name all parts in 'part_ids'.";
      throw invalidRequest(message, "part_ids");
    }
    return parts;
  }
  if (new Set(ids).size < ids.length) {
    throw invalidRequest("A part appears twice. Name each part once.", "part_ids");
  }
  const byId = new Map(parts.map((part) => [part.id, part]));
  return ids.map((id, at) => {
    const part = byId.get(id);
    if (!part) {
      const message = `The upload has no part '${id}'. Send it again, and name the id that is returned.`;
      throw invalidRequest(message, `part_ids.${at}`);
    }
    return part;
  });
}

function requireTotal(parts: readonly UploadPart[], declared: number): void {
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  if (bytes !== declared) {
    const message = `The parts have ${bytes} bytes together, but the upload was created for ${declared}. Send what is missing, and name each part once.`;
    throw invalidRequest(message, "part_ids");
  }
}

function requireHash(name: "md5" | "sha256", expected: string | undefined, actual: string): void {
  if (expected !== undefined && expected !== actual) {
    const message = `The file has another checksum: ${actual}. Check the order of its parts, and send damaged ones again.`;
    throw invalidRequest(message, name);
  }
}

/** Hashes the parts in a thread, one slice at a time, and returns the file's first bytes. */
async function hashParts({ account, signal }: Uploader, parts: readonly UploadPart[]) {
  const hash = openHash();
  let head: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  try {
    for (const part of parts) {
      for (let at = 0; at < part.bytes; ) {
        signal.throwIfAborted();
        const [slice] = await query<{ bytes: Uint8Array }>(
          "documents_slice_of_part",
          "SELECT bytes FROM upload_slice WHERE part_id = $1 AND account_id = $2 AND part_offset = $3",
          [part.id, account.id, at],
        );
        if (!slice) {
          throw uploadEnded();
        }
        if (head.length < HEAD_BYTES) {
          const more = slice.bytes.subarray(0, HEAD_BYTES - head.length);
          head = new Uint8Array(Buffer.concat([head, more]));
        }
        at += slice.bytes.byteLength;
        await hash.update(slice.bytes);
      }
    }
    return { head, hashes: await hash.digest() };
  } finally {
    hash.close();
  }
}

/** Ends an upload and deletes its parts. Canceling twice is fine. Throws not_found, and conflict once it is completed. */
export async function cancelUpload(ctx: Uploader, id: string): Promise<Upload> {
  const upload = await findUpload(ctx, id);
  const stored = { accountId: ctx.account.id, uploadId: id };
  let completed: AcceptedDocument | null = upload.answer;
  if (upload.status === "pending") {
    await transaction(async (tx) => {
      completed = await lockUpload(tx, stored);
      await closeUpload(tx, stored, null);
    });
  }
  if (completed) {
    throw conflict("The upload is completed already. Delete its document instead.", "id");
  }
  return getUpload(ctx, id);
}
