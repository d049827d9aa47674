import "server-only";

import { accountPurge } from "@/lib/platform/db/account-purge";
import { query, type Session, transaction } from "@/lib/platform/db/client";
import { openJobQueue } from "@/lib/platform/queue/vendor";
import { type CollectionKey, PUBLIC_COLLECTION, type Reader } from "../collections";
import { getDocument } from "../read/documents";
import type { DeletedDocument } from "../schema";
import { cancelOpenJob } from "./cancel";
import { lockCollection } from "./end-job";
import { upsertCollection } from "./index-document";
import { countTerms } from "./term-counts";

/** Documents of the public knowledge base: one, those of a source type, or all. */
export type Selection = { id: string } | { sourceType: string } | { all: true };

/** The size of a transaction, which holds the term keys of its chunks in memory. */
const BATCH_DOCUMENTS = 300;
export const BATCH_CHUNKS = 10_000;

/**
 * Deletes a document with its text, chunks and vectors in one transaction, and cancels its job. Searches that start
 * afterwards can't return them. Only a tombstone remains. Throws not_found.
 */
export async function deleteDocument(ctx: Reader, id: string): Promise<DeletedDocument> {
  await getDocument(ctx, id);
  await openJobQueue();
  await transaction(async (tx) => {
    const collection = await lockCollection(tx, { documentId: id });
    await cancelOpenJob(tx, { documentIds: [id] });
    if (collection) {
      await writeTombstones(tx, [id]);
      await unindexDocuments(tx, collection, [id]);
    }
  });
  return { id, object: "kb.document", deleted: true };
}

export const purgeAccountDocuments = accountPurge({
  documents_purge_collections: "DELETE FROM collection WHERE account_id = $1",
  documents_purge_documents: "DELETE FROM document WHERE account_id = $1",
  documents_purge_uploads: "DELETE FROM upload WHERE account_id = $1",
  documents_purge_tombstones: "DELETE FROM document_tombstone WHERE account_id = $1",
  documents_purge_jobs: "DELETE FROM job WHERE account_id = $1",
});

export async function countPublic(selection: Selection): Promise<number> {
  const [row] = await query<{ documents: number }>(
    "documents_count_public",
    `SELECT count(*)::int AS documents FROM document
      WHERE collection_id = $1 AND ($2::text IS NULL OR id = $2) AND ($3::text IS NULL OR source_type = $3)`,
    filterOf(selection),
  );
  return row?.documents ?? 0;
}

/** Removes the next batch of selected documents after the id `after`. Returns their ids, none at the end. */
export function removePublicBatch(selection: Selection, after: string): Promise<string[]> {
  return transaction(async (tx) => {
    await upsertCollection(tx, PUBLIC_COLLECTION);
    const ids = await nextDocuments(tx, selection, after);
    if (ids.length > 0) {
      await writeTombstones(tx, ids);
      await unindexDocuments(tx, PUBLIC_COLLECTION, ids);
    }
    return ids;
  });
}

/** Starts after the last batch: its dead rows aren't vacuumed yet, and each query would scan them again. */
async function nextDocuments(tx: Session, selection: Selection, after: string): Promise<string[]> {
  const rows = await tx.query<{ id: string; chunks: number }>(
    "documents_next_public",
    `SELECT d.id, d.chunk_count AS chunks FROM document d
      WHERE d.collection_id = $1 AND ($2::text IS NULL OR d.id = $2)
        AND ($3::text IS NULL OR d.source_type = $3) AND d.id > $4 ORDER BY d.id LIMIT $5`,
    [...filterOf(selection), after, BATCH_DOCUMENTS],
  );
  let chunks = 0;
  const batch = rows.filter((row, index) => {
    chunks += row.chunks;
    return index === 0 || chunks <= BATCH_CHUNKS;
  });
  return batch.map(({ id }) => id);
}

function filterOf(selection: Selection): [string, string | null, string | null] {
  const id = "id" in selection ? selection.id : null;
  const sourceType = "sourceType" in selection ? selection.sourceType : null;
  return [PUBLIC_COLLECTION.id, id, sourceType];
}

/**
 * Records that documents existed, in the transaction that deletes them, so that links to them can report the
 * deletion. Stores only whose they were.
 */
export async function writeTombstones(tx: Session, ids: readonly string[]): Promise<void> {
  await tx.query(
    "documents_insert_tombstones",
    `INSERT INTO document_tombstone (document_id, collection_id, account_id)
     SELECT id, collection_id, account_id FROM document WHERE id = ANY($1)
     ON CONFLICT (document_id, account_id) DO UPDATE SET deleted_at = excluded.deleted_at`,
    [ids],
  );
}

/** Deletes documents of one collection with everything made from them. The caller holds the collection's lock. */
export async function unindexDocuments(
  tx: Session,
  collection: CollectionKey,
  ids: readonly string[],
): Promise<void> {
  const chunks = await tx.query<{ term_keys: number[] }>(
    "documents_keys_of",
    "SELECT term_keys FROM chunk WHERE document_id = ANY($1) AND account_id = $2",
    [ids, collection.accountId],
  );
  await countTerms(tx, collection, { added: [], removed: chunks.map((row) => row.term_keys) });
  await tx.query(
    "documents_delete",
    "DELETE FROM document WHERE id = ANY($1) AND account_id = $2",
    [ids, collection.accountId],
  );
}
