import "server-only";

import { setImmediate } from "node:timers/promises";
import { SparseVector, toSql } from "pgvector";
import { yieldIfLong } from "@/lib/event-loop";
import { newId } from "@/lib/id";
import { execute, type Session, type Transaction } from "@/lib/platform/db/client";
import type { PageBoxes } from "@/lib/reading/page-boxes";
import type { ReadChunk, ReadDocument } from "@/lib/reading/parse/read-task";
import { TERM_SPACE } from "@/lib/text/analyzer";
import { LEXICON_VERSION, type TermWeights } from "@/lib/text/bm25";
import { languageOf } from "@/lib/text/languages";
import type { Collection, CollectionKey } from "../collections";
import { termKeys } from "../term-keys";
import { type CopyColumns, CopyRows, copyFile } from "./copy-rows";
import { countTerms } from "./term-counts";
import { learnWords } from "./vocabulary";

/** Bounds on one statement: the embedded database runs no other meanwhile. */
const STATEMENT_BYTES = 200_000;
const VECTORS_PER_STATEMENT = 100;

/** A statement copies whole parts. */
const CHUNKS_PER_PART = 50;

export interface IndexedDocument {
  id: string;
  collectionId: string;
  accountId: string;
}

/** The vectors of a document's first chunks, or of all; null without an embedding model. */
export type ChunkVectors = { space: string; points: readonly Float32Array[] } | null;

/** A document that is ready to be stored. */
export interface IndexEntry {
  document: IndexedDocument;
  read: ReadDocument;
  /** Chunks and pages as rows for COPY, vectors as JSON rows, and each chunk's term keys. */
  rows: {
    chunks: Buffer<ArrayBuffer>[];
    pages: PageRows;
    vectors: string[];
    termKeys: number[][];
  };
  /** The term keys of the chunks of its old version, which the caller has deleted. */
  removedKeys?: readonly (readonly number[])[];
}

/** Creates a collection if it is missing, and locks it. */
export async function upsertCollection(tx: Session, collection: Collection): Promise<void> {
  const { id, scope, accountId, personId } = collection;
  await tx.query(
    "documents_upsert_collection",
    `INSERT INTO collection (id, scope, account_id, person_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id, account_id) DO UPDATE SET scope = excluded.scope`,
    [id, scope, accountId, personId],
  );
}

/** Makes documents of one collection searchable, all or none. The caller holds the collection's lock. */
export async function indexDocuments(
  tx: Transaction,
  collection: CollectionKey,
  entries: readonly IndexEntry[],
): Promise<void> {
  const ids = entries.map(({ document }) => document.id);
  await tx.query(
    "documents_store_text",
    `UPDATE document d SET text = r.text, title = r.title, media_type = r.media_type, chunk_count = r.chunks,
                         page_starts = r.page_starts::int[], recognized_ranges = r.recognized::int[],
                         uncertain_ranges = r.uncertain::int[], language = r.language
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[],
                   $9::text[])
            AS r(id, text, title, media_type, chunks, page_starts, recognized, uncertain, language)
      WHERE d.id = r.id`,
    [
      ids,
      entries.map(({ read }) => read.text),
      entries.map(({ read }) => read.title),
      entries.map(({ read }) => read.mediaType),
      entries.map(({ read }) => read.chunks.length),
      entries.map(({ read }) => toArraySql(read.pageStarts)),
      entries.map(({ read }) => toArraySql(read.recognized?.recognized)),
      entries.map(({ read }) => toArraySql(read.recognized?.uncertain)),
      entries.map(({ read }) => languageOf(read.text)),
    ],
  );
  await deletePages(tx, ids);
  await indexChunks(tx, collection, entries);
}

function toArraySql(numbers: readonly number[] | null | undefined): string | null {
  return numbers ? `{${numbers.join(",")}}` : null;
}

/** As `indexDocuments`, for documents whose texts are already stored. */
export async function indexChunks(
  tx: Transaction,
  collection: CollectionKey,
  entries: readonly IndexEntry[],
): Promise<void> {
  let bytes = 0;
  const statements = Map.groupBy(
    entries.flatMap(({ rows }) => rows.chunks),
    (part) => {
      bytes += part.byteLength;
      return Math.floor(bytes / STATEMENT_BYTES);
    },
  );
  for (const parts of statements.values()) {
    await tx.copy(`chunk (${Object.keys(CHUNK_COLUMNS)})`, copyFile(parts));
    await setImmediate();
  }
  await storePages(
    tx,
    entries.map(({ rows }) => rows.pages),
  );
  const vectors = entries.flatMap(({ rows }) => rows.vectors);
  for (let start = 0; start < vectors.length; start += VECTORS_PER_STATEMENT) {
    await insertVectors(tx, collection, vectors.slice(start, start + VECTORS_PER_STATEMENT));
    await setImmediate();
  }
  const added = entries.flatMap(({ rows }) => rows.termKeys);
  const removed = entries.flatMap(({ removedKeys = [] }) => removedKeys);
  await countTerms(tx, collection, { added, removed });
  await learnWords(
    tx,
    collection,
    entries.map(({ read }) => read.words),
  );
}

/**
 * Moves the term keys of new chunks from the index's pending list to their places. Every search reads the whole list, and
 * what doesn't fill it would stay there until a vacuum.
 */
export async function flushTermKeys(): Promise<void> {
  await execute("SELECT gin_clean_pending_list('chunk_term_keys_idx')");
}

/** Inserts rows from `toVectorRow`. Keeps a vector that another process stored first. */
export async function insertVectors(
  tx: Session,
  collection: CollectionKey,
  rows: readonly string[],
): Promise<void> {
  await tx.query(
    "documents_insert_vectors",
    // The standing may have changed since the passage was read to embed it.
    `INSERT INTO chunk_vector (space, chunk_id, collection_id, account_id, is_retracted, embedding)
     SELECT v.space, v.id, $2, $3, c.is_retracted, v.embedding::halfvec
       FROM json_to_recordset($1::json) AS v(space text, id text, embedding text)
       JOIN chunk c ON c.id = v.id AND c.account_id = $3
     ON CONFLICT (chunk_id, space, account_id) DO NOTHING`,
    [`[${rows.join(",")}]`, collection.id, collection.accountId],
  );
}

/** Encodes a document's rows before any lock is taken, so that nobody waits for the encoding. */
export async function toIndexEntry(
  document: IndexedDocument,
  read: ReadDocument,
  vectors: ChunkVectors,
): Promise<IndexEntry> {
  const rows: IndexEntry["rows"] = {
    chunks: [],
    pages: toPageRows(document, read.pageBoxes),
    vectors: [],
    termKeys: [],
  };
  const copy = new CopyRows();
  for (const [ordinal, chunk] of read.chunks.entries()) {
    const id = newId("chunk");
    const keys = termKeys(document.collectionId, chunk);
    copy.add(CHUNK_COLUMNS, { ...chunk, document, id, ordinal, keys });
    rows.termKeys.push(keys);
    const point = vectors?.points[ordinal];
    if (vectors && point) {
      rows.vectors.push(toVectorRow(id, vectors.space, point));
    }
    if ((ordinal + 1) % CHUNKS_PER_PART === 0) {
      rows.chunks.push(copy.take());
    }
    await yieldIfLong();
  }
  rows.chunks.push(copy.take());
  return { document, read, rows };
}

/** A row for `insertVectors`. */
export function toVectorRow(id: string, space: string, point: Float32Array): string {
  return JSON.stringify({ space, id, embedding: toVectorSql(point) });
}

/** Five digits are more than a halfvec stores. */
export function toVectorSql(point: Float32Array): string | null {
  return toSql(Array.from(point, (value) => Number(value.toPrecision(5))));
}

export function toWeightsSql({ terms, weights }: TermWeights): string | null {
  const rounded = roundWeights(weights);
  // pgvector's package counts dimensions from 0, its SQL and our terms from 1.
  const entries = terms.map((term, index) => [term - 1, rounded[index] ?? 0] as const);
  return toSql(new SparseVector(new Map(entries), TERM_SPACE));
}

interface ChunkRow extends ReadChunk {
  document: IndexedDocument;
  id: string;
  ordinal: number;
  keys: readonly number[];
}

const CHUNK_COLUMNS: CopyColumns<ChunkRow> = {
  id: (rows, { id }) => rows.text(id),
  document_id: (rows, { document }) => rows.text(document.id),
  collection_id: (rows, { document }) => rows.text(document.collectionId),
  account_id: (rows, { document }) => rows.text(document.accountId),
  ordinal: (rows, { ordinal }) => rows.int4(ordinal),
  text: (rows, { text }) => rows.text(text),
  char_start: (rows, { charStart }) => rows.int4(charStart),
  char_end: (rows, { charEnd }) => rows.int4(charEnd),
  page_start: (rows, { pageStart }) => rows.int4(pageStart),
  page_end: (rows, { pageEnd }) => rows.int4(pageEnd),
  headings: (rows, { headings }) => rows.texts(headings),
  token_count: (rows, { tokenCount }) => rows.int4(tokenCount),
  warnings: (rows, { warnings }) => rows.texts(warnings),
  lexicon_version: (rows) => rows.text(LEXICON_VERSION),
  term_keys: (rows, { keys }) => rows.int4s(keys),
  weights: (rows, { terms, weights }) => rows.sparsevec(TERM_SPACE, terms, roundWeights(weights)),
};

/** Rounded alike for COPY and SQL text, so that a reindex stores the same weights. A chunk has few distinct ones. */
function roundWeights(weights: readonly number[]): number[] {
  const rounded = new Map<number, number>();
  return weights.map((weight) => {
    const value = rounded.get(weight) ?? Number(weight.toPrecision(6));
    rounded.set(weight, value);
    return value;
  });
}

/** Rows of document_page for COPY, in parts. */
type PageRows = Buffer<ArrayBuffer>[];

interface PageRow extends PageBoxes {
  document: { id: string; accountId: string };
}

/** A page's boxes take about 4 kB. The embedded database does nothing else while a statement runs. */
const PAGES_PER_STATEMENT = 200;

const PAGE_COLUMNS: CopyColumns<PageRow> = {
  document_id: (rows, { document }) => rows.text(document.id),
  account_id: (rows, { document }) => rows.text(document.accountId),
  page: (rows, { page }) => rows.int4(page),
  boxes: (rows, { boxes }) => rows.bytea(boxes),
};

function toPageRows(document: PageRow["document"], pages: readonly PageBoxes[]): PageRows {
  const parts: PageRows = [];
  const copy = new CopyRows();
  for (const [index, page] of pages.entries()) {
    copy.add(PAGE_COLUMNS, { ...page, document });
    if ((index + 1) % PAGES_PER_STATEMENT === 0 || index === pages.length - 1) {
      parts.push(copy.take());
    }
  }
  return parts;
}

/** Stores the pages of documents, most of which are small and share a statement. */
async function storePages(tx: Transaction, documents: readonly PageRows[]): Promise<void> {
  const small = documents.filter(({ length }) => length === 1).flat();
  const large = documents.filter(({ length }) => length > 1).flat();
  for (const parts of [...(small.length > 0 ? [small] : []), ...large.map((part) => [part])]) {
    await tx.copy(`document_page (${Object.keys(PAGE_COLUMNS)})`, copyFile(parts));
    await setImmediate();
  }
}

/** Before a document's text changes. */
async function deletePages(tx: Session, documentIds: readonly string[]): Promise<void> {
  const statement = "DELETE FROM document_page WHERE document_id = ANY($1)";
  await tx.query("documents_delete_pages", statement, [documentIds]);
}
