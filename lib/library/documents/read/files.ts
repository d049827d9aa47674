import "server-only";

import { notFound } from "@/lib/errors";
import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import { query, type Row } from "@/lib/platform/db/client";
import { toOpenAIRows, walkOf } from "@/lib/platform/http/list-page";
import { type Reader, readableDocuments, writableDocuments } from "../collections";
import type { FileObject, FilePage, ListFiles } from "../file-schema";
import { ID_SHAPE } from "../schema";
import { accessCondition } from "./selection";

interface FileRow extends Row {
  id: string;
  collection_id: string;
  bytes: number;
  created_at: Date;
  filename: string;
  purpose: string;
  is_indexed: boolean;
  status: string | null;
  error_message: string | null;
}

/** A searchable document's newest job doesn't matter: it may be of a version that failed. */
const FILES = `SELECT d.id, d.collection_id, d.size_bytes AS bytes, d.created_at, coalesce(d.file_name, d.title) AS filename,
            coalesce(d.purpose, 'user_data') AS purpose, d.chunk_count > 0 AS is_indexed, j.status, j.error_message
       FROM document d LEFT JOIN LATERAL
            (SELECT status, error_message FROM job WHERE d.chunk_count = 0 AND document_id = d.id AND account_id = d.account_id
              ORDER BY id DESC LIMIT 1) j ON true
      WHERE ${accessCondition(["$1", "$2"])}`;

/** A document of a knowledge base that the caller may read, the public one included. Throws not_found. */
export async function getFile(ctx: Reader, id: string): Promise<FileObject> {
  return toFileObject(await getFileRow(ctx, id));
}

/** As `getFile`, with the collection that it is in. */
export async function getFileRow(ctx: Reader, id: string): Promise<FileRow> {
  const [row] = ID_SHAPE.test(id)
    ? await query<FileRow>("files_get", `${FILES} AND d.account_id = ANY($3) AND d.id = $4`, [
        ...[...readableDocuments(ctx), [ctx.account.id, PUBLIC_ACCOUNT_ID], id],
      ])
    : [];
  if (!row) {
    throw notFound("There is no such file. Check its id, or list the files.", "file_id");
  }
  return row;
}

/** The caller's own documents. Those of the public knowledge base are listed as files of its store. */
export async function listFiles(ctx: Reader, input: ListFiles): Promise<FilePage> {
  const { name, compare, order, cursor } = walkOf(input);
  const rows = await query<FileRow>(
    `files_list_${name}`,
    `${FILES} AND d.account_id = $3 AND d.id ${compare} $4 AND ($5::text IS NULL OR coalesce(d.purpose, 'user_data') = $5)
      ORDER BY d.id ${order} LIMIT $6`,
    [...writableDocuments(ctx), ctx.account.id, cursor, input.purpose ?? null, input.limit + 1],
  );
  return toOpenAIRows(rows, input, toFileObject);
}

/** The names of the documents' files, by their ids. */
export async function findFileNames(ids: readonly string[], accountId: string) {
  const rows = await query<{ id: string; filename: string }>(
    "files_names",
    "SELECT id, coalesce(file_name, title) AS filename FROM document WHERE id = ANY($1) AND account_id = $2",
    [ids, accountId],
  );
  return new Map(rows.map(({ id, filename }) => [id, filename]));
}

function toFileObject(row: FileRow): FileObject {
  const { id, bytes, filename, purpose, status, error_message } = row;
  const isOpen = status === "queued" || status === "processing";
  return {
    ...{ id, object: "file", bytes, filename, purpose },
    created_at: toSeconds(row.created_at),
    // Clients wait for `processed`, which files that nobody indexes are at once.
    status: isOpen ? "uploaded" : status === "failed" ? "error" : "processed",
    ...(status === "failed" && error_message !== null && { status_details: error_message }),
  };
}

export function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
