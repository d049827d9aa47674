import "server-only";

import { setImmediate } from "node:timers/promises";
import type { Session, Transaction } from "@/lib/db/client";
import { newId } from "@/lib/id";
import type { Embedder } from "@/lib/models/embedding";
import type { Collection, CollectionKey } from "../collections";
import { embeddingText } from "../embedding-text";
import type { ReadDocument } from "../parse/pool";
import { termKeys } from "../term-keys";
import { CHUNK_COLUMNS, type IndexedDocument, writeChunk } from "./chunk-rows";
import { CopyRows, copyFile } from "./copy-rows";
import { countTerms } from "./term-counts";

/** A statement's rows: the embedded database does nothing else meanwhile. */
const STATEMENT_BYTES = 2_000_000;
const VECTORS_PER_STATEMENT = 500;
/** A large document is much to write: other requests are answered in between. */
const CHUNKS_AT_A_TIME = 500;

/** The vectors of a document's chunks, in their order; null without an embedding model. */
export type ChunkVectors = { space: string; points: readonly Float32Array[] } | null;

/** A document that is ready to be stored. */
export interface IndexEntry {
  document: IndexedDocument;
  read: ReadDocument;
  rows: ChunkRows;
}

/** The chunks of a document as rows for COPY, its vectors as JSON rows, and each chunk's term keys. */
interface ChunkRows {
  chunks: Buffer<ArrayBuffer>[];
  vectors: string[];
  termKeys: number[][];
}

/** The vectors of a document's chunks; each is embedded with its title and headings, which name its subject. */
export async function embedChunks(
  embedder: Embedder | null,
  read: Pick<ReadDocument, "title" | "chunks">,
  signal: AbortSignal,
): Promise<ChunkVectors> {
  if (!embedder) {
    return null;
  }
  const texts = read.chunks.map((chunk) => embeddingText(read.title, chunk));
  return { space: embedder.space, points: await embedder.embedPassages(texts, signal) };
}

/** Makes a document's rows before any lock is taken: nobody who waits for the collection waits for them. */
export async function toIndexEntry(
  document: IndexedDocument,
  read: ReadDocument,
  vectors: ChunkVectors,
): Promise<IndexEntry> {
  const rows: ChunkRows = { chunks: [], vectors: [], termKeys: [] };
  const copied = new CopyRows();
  for (const [ordinal, chunk] of read.chunks.entries()) {
    const id = newId("chunk");
    const keys = termKeys(document.collectionId, chunk);
    writeChunk(copied, document, { ...chunk, id, ordinal, keys });
    rows.termKeys.push(keys);
    const point = vectors?.points[ordinal];
    if (vectors && point) {
      rows.vectors.push(JSON.stringify(toVectorRow(document, { id, space: vectors.space, point })));
    }
    if ((ordinal + 1) % CHUNKS_AT_A_TIME === 0) {
      rows.chunks.push(copied.take());
      await setImmediate();
    }
  }
  rows.chunks.push(copied.take());
  return { document, read, rows };
}

/**
 * Locks the collection of a document; null when the document is gone. Every transaction that changes
 * documents takes it first, then jobs and documents, and the account (`settle`) last: in any other
 * order two of them may wait for each other.
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

/** Makes sure that a collection is there, and takes its lock. */
export async function upsertCollection(tx: Session, collection: Collection): Promise<void> {
  const { id, scope, accountId, personId } = collection;
  await tx.query(
    "documents_upsert_collection",
    `INSERT INTO collection (id, scope, account_id, person_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id, account_id) DO UPDATE SET scope = excluded.scope`,
    [id, scope, accountId, personId],
  );
}

/**
 * Makes documents of one collection searchable: their texts, chunks, vectors and term counts, or none
 * of them. The collection's lock is held by the caller.
 */
export async function indexDocuments(
  tx: Transaction,
  collection: CollectionKey,
  entries: readonly IndexEntry[],
): Promise<void> {
  const ids = entries.map(({ document }) => document.id);
  await tx.query(
    "documents_store_text",
    `UPDATE document d SET text = r.text, title = r.title, media_type = r.media_type, chunk_count = r.chunks
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[]) AS r(id, text, title, media_type, chunks)
      WHERE d.id = r.id`,
    [
      ids,
      entries.map(({ read }) => read.text),
      entries.map(({ read }) => read.title),
      entries.map(({ read }) => read.mediaType),
      entries.map(({ read }) => read.chunks.length),
    ],
  );
  await indexChunks(tx, collection, entries);
  await tx.query(
    "documents_delete_uploads",
    "DELETE FROM document_upload WHERE document_id = ANY($1)",
    [ids],
  );
}

/** As `indexDocuments`, for documents that were stored with their texts. */
export async function indexChunks(
  tx: Transaction,
  collection: CollectionKey,
  entries: readonly IndexEntry[],
): Promise<void> {
  for (const rows of statements(entries.flatMap((entry) => entry.rows.chunks))) {
    await tx.copy(`chunk (${CHUNK_COLUMNS})`, rows);
    await setImmediate();
  }
  const vectors = entries.flatMap(({ rows }) => rows.vectors);
  for (let start = 0; start < vectors.length; start += VECTORS_PER_STATEMENT) {
    await insertVectorRows(tx, collection, vectors.slice(start, start + VECTORS_PER_STATEMENT));
    await setImmediate();
  }
  await countTerms(tx, collection, {
    added: entries.flatMap(({ rows }) => rows.termKeys),
    removed: [],
  });
}

function* statements(parts: readonly Buffer<ArrayBuffer>[]): Generator<Buffer<ArrayBuffer>> {
  let together: Buffer<ArrayBuffer>[] = [];
  let bytes = 0;
  for (const part of parts) {
    together.push(part);
    bytes += part.byteLength;
    if (bytes >= STATEMENT_BYTES) {
      yield copyFile(together);
      together = [];
      bytes = 0;
    }
  }
  if (together.length > 0) {
    yield copyFile(together);
  }
}

/** Takes a document, its chunks and its part of the term counts away. */
export async function unindexDocument(
  tx: Session,
  collection: CollectionKey,
  id: string,
): Promise<void> {
  await unindexDocuments(tx, collection, [id]);
}

/** As `unindexDocument`, for several documents of one collection. The collection's lock is held by the caller. */
export async function unindexDocuments(
  tx: Session,
  collection: CollectionKey,
  ids: readonly string[],
): Promise<void> {
  const gone = await tx.query<{ term_keys: number[] }>(
    "documents_keys_of",
    "SELECT term_keys FROM chunk WHERE document_id = ANY($1)",
    [ids],
  );
  await countTerms(tx, collection, {
    added: [],
    removed: gone.map(({ term_keys }) => term_keys),
  });
  await tx.query("documents_delete", "DELETE FROM document WHERE id = ANY($1)", [ids]);
}

function toVectorRow(
  { sourceType }: IndexedDocument,
  { id, space, point }: { id: string; space: string; point: Float32Array },
): VectorRow {
  const embedding = toVectorText(point);
  return { space, id, source_type: sourceType, embedding };
}

function toJsonArray(rows: readonly string[]): string {
  return `[${rows.join(",")}]`;
}

export function toVectorText(point: Float32Array): string {
  return `[${Array.from(point, (value) => value.toPrecision(5)).join(",")}]`;
}

export interface VectorRow {
  space: string;
  id: string;
  source_type: string;
  embedding: string;
}

/** A vector that is there already stays: another process may have been the first. */
export async function insertVectors(
  tx: Session,
  collection: CollectionKey,
  rows: readonly VectorRow[],
): Promise<void> {
  await insertVectorRows(
    tx,
    collection,
    rows.map((row) => JSON.stringify(row)),
  );
}

async function insertVectorRows(
  tx: Session,
  collection: CollectionKey,
  rows: readonly string[],
): Promise<void> {
  if (rows.length > 0) {
    await tx.query(
      "documents_insert_vectors",
      `INSERT INTO chunk_vector (space, chunk_id, collection_id, account_id, source_type, embedding)
       SELECT v.space, v.id, $2, $3, v.source_type, v.embedding::halfvec
         FROM json_to_recordset($1::json) AS v(space text, id text, source_type text, embedding text)
       ON CONFLICT (chunk_id, space, account_id) DO NOTHING`,
      [toJsonArray(rows), collection.id, collection.accountId],
    );
  }
}
