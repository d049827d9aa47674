import "server-only";

import { setImmediate } from "node:timers/promises";
import type { Session } from "@/lib/db";
import { newId } from "@/lib/id";
import type { Embedder } from "@/lib/models/embedding";
import { TERM_SPACE } from "@/lib/models/lexicon";
import { WORD_SPACE } from "@/lib/models/word-weights";
import type { Collection } from "../collections";
import type { ReadChunk, ReadDocument } from "../parse/pool";
import { subjectOf } from "../subject";
import { termKeys } from "../term-keys";
import { countTerms } from "./term-counts";

/** What the index needs of a document besides what was read. */
interface IndexedDocument {
  id: string;
  collectionId: string;
  accountId: string | null;
  sourceType: string;
}

const CHUNKS_PER_STATEMENT = 500;

/** The vectors of a document's chunks, in their order; null without an embedding model. */
export type ChunkVectors = { space: string; points: readonly Float32Array[] } | null;

/** A document that is ready to be stored. */
export interface IndexEntry {
  document: IndexedDocument;
  read: ReadDocument;
  rows: ChunkRows;
}

/** The chunks and vectors of a document as JSON rows, and each chunk's term keys. */
interface ChunkRows {
  chunks: string[];
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
  const texts = read.chunks.map((chunk) => subjectOf(read.title, chunk));
  return { space: embedder.space, points: await embedder.embedPassages(texts, signal) };
}

/** Makes a document's rows before any lock is taken: nobody who waits for the collection waits for them. */
export async function toIndexEntry(
  document: IndexedDocument,
  read: ReadDocument,
  vectors: ChunkVectors,
): Promise<IndexEntry> {
  const rows: ChunkRows = { chunks: [], vectors: [], termKeys: [] };
  for (const [ordinal, chunk] of read.chunks.entries()) {
    const row = toChunkRow(document, chunk, ordinal);
    rows.chunks.push(JSON.stringify(row));
    rows.termKeys.push(row.term_keys);
    const point = vectors?.points[ordinal];
    if (vectors && point) {
      rows.vectors.push(JSON.stringify(toVectorRow(row, vectors.space, point)));
    }
    if ((ordinal + 1) % CHUNKS_PER_STATEMENT === 0) {
      // A large document is much text to write: other requests are answered in between.
      await setImmediate();
    }
  }
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
): Promise<string | null> {
  const [collection] = await tx.query<{ id: string }>(
    "documents_lock_collection",
    `SELECT id FROM collection WHERE id = (SELECT collection_id FROM document WHERE id = $1) FOR UPDATE`,
    [documentId],
  );
  return collection?.id ?? null;
}

/** Makes sure that a collection is there, and takes its lock. */
export async function upsertCollection(tx: Session, collection: Collection): Promise<void> {
  const { id, scope, accountId, personId } = collection;
  await tx.query(
    "documents_upsert_collection",
    `INSERT INTO collection (id, scope, account_id, person_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET scope = excluded.scope`,
    [id, scope, accountId, personId],
  );
}

/**
 * Makes documents of one collection searchable: their texts, chunks, vectors and term counts, or none
 * of them. The collection's lock is held by the caller.
 */
export async function indexDocuments(
  tx: Session,
  collectionId: string,
  entries: readonly IndexEntry[],
): Promise<void> {
  await tx.query(
    "documents_store_text",
    `UPDATE document d SET text = r.text, title = r.title, media_type = r.media_type
       FROM json_to_recordset($1::json) AS r(id text, text text, title text, media_type text) WHERE d.id = r.id`,
    [JSON.stringify(entries.map(toTextRow))],
  );
  await indexChunks(tx, collectionId, entries);
  await tx.query(
    "documents_drop_uploads",
    "DELETE FROM document_upload WHERE document_id = ANY($1)",
    [entries.map(({ document }) => document.id)],
  );
}

/** As `indexDocuments`, for documents that were stored with their texts. */
export async function indexChunks(
  tx: Session,
  collectionId: string,
  entries: readonly IndexEntry[],
): Promise<void> {
  const chunks = entries.flatMap(({ rows }) => rows.chunks);
  const vectors = entries.flatMap(({ rows }) => rows.vectors);
  for (let start = 0; start < chunks.length; start += CHUNKS_PER_STATEMENT) {
    const end = start + CHUNKS_PER_STATEMENT;
    await insertChunks(tx, collectionId, chunks.slice(start, end));
    await insertVectorRows(tx, collectionId, vectors.slice(start, end));
    await setImmediate();
  }
  await countTerms(tx, collectionId, {
    added: entries.flatMap(({ rows }) => rows.termKeys),
    removed: [],
  });
}

async function insertChunks(
  tx: Session,
  collectionId: string,
  rows: readonly string[],
): Promise<void> {
  await tx.query(
    "documents_insert_chunks",
    `INSERT INTO chunk (id, document_id, collection_id, account_id, ordinal, source_type, text, char_start,
                        char_end, page_start, page_end, headings, token_count, warnings, word_space,
                        term_keys, weights)
     SELECT c.id, c.document_id, $2, c.account_id, c.ordinal, c.source_type, c.text, c.char_start, c.char_end,
            c.page_start, c.page_end, c.headings, c.token_count, c.warnings, $3, c.term_keys, c.weights::sparsevec
       FROM json_to_recordset($1::json) AS c(id text, document_id text, account_id text, ordinal int,
            source_type text, text text, char_start int, char_end int, page_start int, page_end int,
            headings text[], token_count int, warnings text[], term_keys int[], weights text)`,
    [toJsonArray(rows), collectionId, WORD_SPACE],
  );
}

/** Takes a document, its chunks and its part of the term counts away. */
export async function unindexDocument(
  tx: Session,
  document: { id: string; collectionId: string },
): Promise<void> {
  await unindexDocuments(tx, document.collectionId, [document.id]);
}

/** As `unindexDocument`, for several documents of one collection. The collection's lock is held by the caller. */
export async function unindexDocuments(
  tx: Session,
  collectionId: string,
  ids: readonly string[],
): Promise<void> {
  const gone = await tx.query<{ term_keys: number[] }>(
    "documents_keys_of",
    "SELECT term_keys FROM chunk WHERE document_id = ANY($1)",
    [ids],
  );
  await countTerms(tx, collectionId, {
    added: [],
    removed: gone.map(({ term_keys }) => term_keys),
  });
  await tx.query("documents_delete", "DELETE FROM document WHERE id = ANY($1)", [ids]);
}

function toTextRow({ document, read }: IndexEntry) {
  return { id: document.id, text: read.text, title: read.title, media_type: read.mediaType };
}

function toChunkRow(document: IndexedDocument, chunk: ReadChunk, ordinal: number) {
  return {
    id: newId("chunk"),
    document_id: document.id,
    account_id: document.accountId,
    ordinal,
    source_type: document.sourceType,
    text: chunk.text,
    char_start: chunk.charStart,
    char_end: chunk.charEnd,
    page_start: chunk.pageStart,
    page_end: chunk.pageEnd,
    headings: chunk.headings,
    token_count: chunk.tokenCount,
    warnings: chunk.warnings,
    term_keys: termKeys(document.collectionId, chunk),
    weights: toSparseText(chunk),
  };
}

function toVectorRow(
  { id, account_id, source_type }: ReturnType<typeof toChunkRow>,
  space: string,
  point: Float32Array,
): VectorRow {
  return { space, id, account_id, source_type, embedding: toVectorText(point) };
}

function toJsonArray(rows: readonly string[]): string {
  return `[${rows.join(",")}]`;
}

export function toSparseText({ terms, weights }: Pick<ReadChunk, "terms" | "weights">): string {
  // A passage has as few weights as its terms have counts, and writing a number is dear.
  const written = new Map<number, string>();
  const entries = terms.map((term, index) => {
    const weight = weights[index] ?? 0;
    const text = written.get(weight) ?? weight.toPrecision(6);
    written.set(weight, text);
    return `${term}:${text}`;
  });
  return `{${entries.join(",")}}/${TERM_SPACE}`;
}

export function toVectorText(point: Float32Array): string {
  return `[${Array.from(point, (value) => value.toPrecision(5)).join(",")}]`;
}

export interface VectorRow {
  space: string;
  id: string;
  account_id: string | null;
  source_type: string;
  embedding: string;
}

/** A vector that is there already stays: another process may have been the first. */
export async function insertVectors(
  tx: Session,
  collectionId: string,
  rows: readonly VectorRow[],
): Promise<void> {
  await insertVectorRows(
    tx,
    collectionId,
    rows.map((row) => JSON.stringify(row)),
  );
}

async function insertVectorRows(
  tx: Session,
  collectionId: string,
  rows: readonly string[],
): Promise<void> {
  if (rows.length > 0) {
    await tx.query(
      "documents_insert_vectors",
      `INSERT INTO chunk_vector (space, chunk_id, collection_id, account_id, source_type, embedding)
       SELECT v.space, v.id, $2, v.account_id, v.source_type, v.embedding::halfvec
         FROM json_to_recordset($1::json) AS v(space text, id text, account_id text, source_type text, embedding text)
       ON CONFLICT (chunk_id, space) DO NOTHING`,
      [toJsonArray(rows), collectionId],
    );
  }
}
