import { readdirSync, readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import pg from "pg";
import { newId } from "@/lib/id";
import { termKeys } from "@/lib/library/documents/term-keys";
import { toWeightsSql } from "@/lib/library/documents/write/index-document";
import { PUBLIC_ACCOUNT_ID } from "@/lib/platform/auth/public-account";
import type { ReadDocument } from "@/lib/reading/parse/read-task";
import { LEXICON_VERSION } from "@/lib/text/bm25";

/** A database that only receives prepared rows with COPY. */
export interface Reference {
  exec(text: string): Promise<void>;
  copy(columns: string, rows: string): Promise<void>;
  close(): Promise<void>;
}

/** A batch's rows in COPY's text format, prepared before timing starts. */
export interface ReadyRows {
  documents: string;
  chunks: string;
}

const DOCUMENT =
  "(id, collection_id, account_id, scope, title, source_type, media_type, size_bytes, content_hash, text)";
const CHUNK =
  "(id, document_id, collection_id, account_id, ordinal, text, char_start, char_end, page_start, page_end, headings, token_count, warnings, lexicon_version, term_keys, weights)";
const COLLECTION = "bench_reference";

/** On the server at `url`, or an embedded database in `folder`. */
export async function openReference(url: string | null, folder: string): Promise<Reference> {
  const reference = url ? await onServer(url) : await embedded(folder);
  await reference.exec(
    `INSERT INTO collection (id, scope, account_id) VALUES ('${COLLECTION}', 'public_kb', '${PUBLIC_ACCOUNT_ID}') ON CONFLICT DO NOTHING;
     CREATE TABLE bench_document (LIKE document INCLUDING DEFAULTS INCLUDING COMPRESSION INCLUDING STORAGE);
     CREATE TABLE bench_chunk (LIKE chunk INCLUDING DEFAULTS INCLUDING COMPRESSION INCLUDING STORAGE)`,
  );
  return reference;
}

/** Copies into the real tables with indexes, or into copies without. */
export async function copyRows(
  reference: Reference,
  { documents, chunks }: ReadyRows,
  isIndexed: boolean,
): Promise<void> {
  const prefix = isIndexed ? "" : "bench_";
  await reference.exec("BEGIN");
  await reference.copy(`${prefix}document ${DOCUMENT}`, documents);
  await reference.copy(`${prefix}chunk ${CHUNK}`, chunks);
  await reference.exec("COMMIT");
}

/** Also flushes the index's pending list, which would otherwise slow down the next insert. */
export async function emptyReference(reference: Reference): Promise<void> {
  await reference.exec(
    `DELETE FROM document WHERE collection_id = '${COLLECTION}'; TRUNCATE bench_document, bench_chunk;
     SELECT gin_clean_pending_list('chunk_term_keys_idx')`,
  );
}

export function readyRows(reads: readonly ReadDocument[]): ReadyRows {
  const documents: unknown[][] = [];
  const chunks: unknown[][] = [];
  for (const read of reads) {
    const id = newId("document");
    const hash = `\\x${Buffer.from(id).toString("hex")}`;
    const { title, text, mediaType } = read;
    documents.push([
      id,
      COLLECTION,
      PUBLIC_ACCOUNT_ID,
      "public_kb",
      title,
      "bench",
      mediaType,
      text.length,
      hash,
      text,
    ]);
    for (const [ordinal, chunk] of read.chunks.entries()) {
      const { charStart, charEnd, pageStart, pageEnd, tokenCount } = chunk;
      const place = [charStart, charEnd, pageStart, pageEnd, list(chunk.headings), tokenCount];
      const words = [LEXICON_VERSION, `{${termKeys(COLLECTION, chunk)}}`, toWeightsSql(chunk)];
      const whose = [newId("chunk"), id, COLLECTION, PUBLIC_ACCOUNT_ID];
      chunks.push([...whose, ordinal, chunk.text, ...place, list(chunk.warnings), ...words]);
    }
  }
  return { documents: toCopyText(documents), chunks: toCopyText(chunks) };
}

function list(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`)}}`;
}

function toCopyText(rows: readonly unknown[][]): string {
  const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
  const field = (value: unknown) =>
    value === null ? "\\N" : String(value).replace(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? sign);
  return rows.map((row) => `${row.map(field).join("\t")}\n`).join("");
}

async function embedded(folder: string): Promise<Reference> {
  const database = new PGlite({ dataDir: folder, extensions: { vector } });
  for (const name of readdirSync("prisma/migrations").sort()) {
    if (!name.includes(".")) {
      await database.exec(readFileSync(`prisma/migrations/${name}/migration.sql`, "utf8"));
    }
  }
  return {
    exec: async (text) => {
      await database.exec(text);
    },
    copy: async (columns, rows) => {
      await database.query(`COPY ${columns} FROM '/dev/blob'`, [], { blob: new Blob([rows]) });
    },
    close: () => database.close(),
  };
}

async function onServer(url: string): Promise<Reference> {
  const client = new pg.Client(url);
  await client.connect();
  return {
    exec: async (text) => {
      await client.query(text);
    },
    copy: (columns, rows) => copyIn(client, columns, rows),
    close: () => client.end(),
  };
}

/** Methods of pg's connection for COPY that its types omit. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

function copyIn(client: pg.Client, columns: string, rows: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let connection: CopyConnection | undefined;
    client.query({
      submit: (open: unknown) => {
        connection = open as CopyConnection;
        connection.query(`COPY ${columns} FROM STDIN`);
      },
      handleCopyInResponse: () => {
        connection?.sendCopyFromChunk(Buffer.from(rows));
        connection?.endCopyFrom();
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    } as unknown as pg.Submittable);
  });
}
