import "server-only";

import { query, type Session, transaction } from "@/lib/db/client";
import { PUBLIC_COLLECTION } from "../collections";
import { unindexDocuments, upsertCollection } from "./index-document";
import { writeTombstones } from "./tombstones";

/** Documents of the public knowledge base: one, those of a source type, or all. */
export type Selection = { id: string } | { sourceType: string } | { all: true };

/** The size of a transaction, which holds the term keys of its chunks in memory. */
const BATCH_DOCUMENTS = 300;
const BATCH_CHUNKS = 10_000;

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
  return rows
    .filter((row, index) => {
      chunks += row.chunks;
      return index === 0 || chunks <= BATCH_CHUNKS;
    })
    .map(({ id }) => id);
}

function filterOf(selection: Selection): [string, string | null, string | null] {
  const id = "id" in selection ? selection.id : null;
  const sourceType = "sourceType" in selection ? selection.sourceType : null;
  return [PUBLIC_COLLECTION.id, id, sourceType];
}
