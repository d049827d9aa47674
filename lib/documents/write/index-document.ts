import "server-only";

import { setImmediate } from "node:timers/promises";
import type { Session, Transaction } from "@/lib/db/client";
import type { Collection, CollectionKey } from "../collections";
import { copyFile } from "./copy-rows";
import { CHUNK_COLUMNS, type IndexEntry, type VectorRow } from "./index-entry";

/** Bounds on one statement: the embedded database does nothing else while it runs. */
const STATEMENT_BYTES = 2_000_000;
const VECTORS_PER_STATEMENT = 500;

/** Term keys of the chunks that a change adds to a collection and removes from it. */
export interface TermChange {
  added: readonly (readonly number[])[];
  removed: readonly (readonly number[])[];
}

/**
 * Locks a document's collection; null if the document is gone. Every transaction that changes documents locks the
 * collection first, then jobs and documents, and the account (`settle`) last. Any other order can deadlock.
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

/** As `indexDocuments`, for documents whose texts are already stored. */
export async function indexChunks(
  tx: Transaction,
  collection: CollectionKey,
  entries: readonly IndexEntry[],
): Promise<void> {
  for (const rows of copyStatements(entries.flatMap((entry) => entry.rows.chunks))) {
    await tx.copy(`chunk (${CHUNK_COLUMNS})`, rows);
    await setImmediate();
  }
  const vectors = entries.flatMap(({ rows }) => rows.vectors);
  for (let start = 0; start < vectors.length; start += VECTORS_PER_STATEMENT) {
    await insertVectorRows(tx, collection, vectors.slice(start, start + VECTORS_PER_STATEMENT));
    await setImmediate();
  }
  const added = entries.flatMap(({ rows }) => rows.termKeys);
  await countTerms(tx, collection, { added, removed: [] });
}

function* copyStatements(parts: readonly Buffer<ArrayBuffer>[]): Generator<Buffer<ArrayBuffer>> {
  let pending: Buffer<ArrayBuffer>[] = [];
  let bytes = 0;
  for (const part of parts) {
    pending.push(part);
    bytes += part.byteLength;
    if (bytes >= STATEMENT_BYTES) {
      yield copyFile(pending);
      pending = [];
      bytes = 0;
    }
  }
  if (pending.length > 0) {
    yield copyFile(pending);
  }
}

/** Deletes documents of one collection with everything made from them. The caller holds the collection's lock. */
export async function unindexDocuments(
  tx: Session,
  collection: CollectionKey,
  ids: readonly string[],
): Promise<void> {
  const chunks = await tx.query<{ term_keys: number[] }>(
    "documents_keys_of",
    "SELECT term_keys FROM chunk WHERE document_id = ANY($1)",
    [ids],
  );
  const removed = chunks.map(({ term_keys }) => term_keys);
  await countTerms(tx, collection, { added: [], removed });
  await tx.query("documents_delete", "DELETE FROM document WHERE id = ANY($1)", [ids]);
}

/** Keeps a vector that another process stored first. */
export async function insertVectors(
  tx: Session,
  collection: CollectionKey,
  rows: readonly VectorRow[],
): Promise<void> {
  if (rows.length > 0) {
    await insertVectorRows(
      tx,
      collection,
      rows.map((row) => JSON.stringify(row)),
    );
  }
}

async function insertVectorRows(
  tx: Session,
  collection: CollectionKey,
  rows: readonly string[],
): Promise<void> {
  await tx.query(
    "documents_insert_vectors",
    `INSERT INTO chunk_vector (space, chunk_id, collection_id, account_id, source_type, embedding)
     SELECT v.space, v.id, $2, $3, v.source_type, v.embedding::halfvec
       FROM json_to_recordset($1::json) AS v(space text, id text, source_type text, embedding text)
     ON CONFLICT (chunk_id, space, account_id) DO NOTHING`,
    [`[${rows.join(",")}]`, collection.id, collection.accountId],
  );
}

/** Keeps a collection's chunk and term counts equal to a recount. The caller holds the collection's lock. */
export async function countTerms(
  tx: Session,
  { id, accountId }: CollectionKey,
  change: TermChange,
): Promise<void> {
  const { keys, chunks } = netChanges(change);
  await tx.query(
    "documents_count_terms",
    `WITH counted AS (UPDATE collection SET chunk_count = chunk_count + $4
                       WHERE id = $1 AND account_id = $5 AND $4 <> 0)
     MERGE INTO document_frequency f
     USING unnest($2::int[], $3::int[]) AS t(term_key, chunks)
        ON f.collection_id = $1 AND f.term_key = t.term_key AND f.account_id = $5
      WHEN MATCHED AND f.chunk_count + t.chunks <= 0 THEN DELETE
      WHEN MATCHED THEN UPDATE SET chunk_count = f.chunk_count + t.chunks
      WHEN NOT MATCHED AND t.chunks > 0 THEN
        INSERT (collection_id, account_id, term_key, chunk_count) VALUES ($1, $5, t.term_key, t.chunks)`,
    [
      id,
      // Formatted here, because the driver would quote each number.
      `{${keys.join(",")}}`,
      `{${chunks.join(",")}}`,
      change.added.length - change.removed.length,
      accountId,
    ],
  );
}

/** Sorted by key, because neighbors share pages of the index. */
function netChanges({ added, removed }: TermChange): { keys: Int32Array; chunks: Int32Array } {
  const counts = new Map<number, number>();
  count(counts, added, 1);
  count(counts, removed, -1);
  const keys = new Int32Array(counts.size);
  let changed = 0;
  for (const [key, chunks] of counts) {
    if (chunks !== 0) {
      keys[changed++] = key;
    }
  }
  const sorted = keys.subarray(0, changed).sort();
  return { keys: sorted, chunks: sorted.map((key) => counts.get(key) ?? 0) };
}

function count(counts: Map<number, number>, passages: TermChange["added"], by: number): void {
  for (const keys of passages) {
    for (const key of keys) {
      counts.set(key, (counts.get(key) ?? 0) + by);
    }
  }
}
