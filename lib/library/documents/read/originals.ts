import "server-only";

import { AppError, conflict } from "@/lib/errors";
import { query, type Row } from "@/lib/platform/db/client";
import { type Reader, readableDocuments } from "../collections";
import { ID_SHAPE } from "../schema";
import { documentNotFound } from "./documents";
import { accessCondition } from "./selection";

/** A document's file as it was uploaded, without its bytes. */
export interface Original {
  id: string;
  mediaType: string;
  title: string;
  /** The file's name; null for text that was sent as JSON. */
  name: string | null;
  /** SHA-256 of its bytes, in hexadecimal. */
  hash: string;
  bytes: number;
}

/** What one statement reads: the embedded database blocks its thread meanwhile. */
const READ_BYTES = 512 * 1024;

/** Of a document, or of a file `d` that was never indexed; not the next version of a document. */
const IS_CURRENT = "(u.is_original OR (d.purpose IS NOT NULL AND d.chunk_count = 0))";

/** Throws not_found, and original_not_stored. */
export async function getOriginal(ctx: Reader, id: string): Promise<Original> {
  const [row] = ID_SHAPE.test(id)
    ? await query<Row & Omit<Original, "bytes"> & { bytes: number | null }>(
        "documents_original",
        `SELECT d.id, d.media_type AS "mediaType", d.title, encode(d.content_hash, 'hex') AS hash, u.name,
                u.size_bytes AS bytes
           FROM document d LEFT JOIN document_upload u
             ON u.document_id = d.id AND u.account_id = d.account_id AND ${IS_CURRENT}
          WHERE d.id = $1 AND ${accessCondition(["$2", "$3"])}`,
        [id, ...readableDocuments(ctx)],
      )
    : [];
  if (!row) {
    throw documentNotFound();
  }
  if (row.bytes === null) {
    throw new AppError(
      "original_not_stored",
      "This document's original file isn't stored: it isn't processed yet, it is older than the setting, or originals are turned off. Its text is at /text.",
      { param: "id" },
    );
  }
  return { ...row, bytes: row.bytes };
}

/** The bytes from `start` to `end`, in slices. Throws conflict when the document changes meanwhile. */
export async function* readOriginal(
  { id, hash, bytes }: Original,
  { start, end } = { start: 0, end: bytes },
): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; ) {
    const [row] = await query<{ bytes: Uint8Array | null }>(
      "documents_original_slice",
      // PostgreSQL counts bytes from 1.
      `SELECT CASE WHEN u.file_id IS NULL THEN substring(u.bytes FROM $3::int + 1 FOR $4::int)
                   ELSE (SELECT substring(s.bytes FROM $3::int - s.position + 1 FOR $4::int) FROM upload_slice s
                          WHERE s.file_id = u.file_id AND s.account_id = u.account_id AND s.position <= $3::int
                          ORDER BY s.position DESC LIMIT 1) END AS bytes
         FROM document d JOIN document_upload u ON u.document_id = d.id AND u.account_id = d.account_id AND ${IS_CURRENT}
        WHERE d.id = $1 AND d.content_hash = decode($2, 'hex')`,
      [id, hash, at, Math.min(READ_BYTES, end - at)],
    );
    if (!row?.bytes) {
      throw conflict("The document was changed or deleted meanwhile. Try again.");
    }
    // A slice may end before.
    at += row.bytes.byteLength;
    yield row.bytes;
  }
}
