import "server-only";

import type { Session } from "@/lib/db";

/** The keys of chunks: those that come into a collection, and those that leave it. */
export interface TermChange {
  added: readonly (readonly number[])[];
  removed: readonly (readonly number[])[];
}

/**
 * Keeps a collection's number of chunks and its term counts equal to a recount over its chunks. The
 * collection's lock is held by the caller.
 */
export async function countTerms(
  tx: Session,
  collectionId: string,
  change: TermChange,
): Promise<void> {
  const changes = netChanges(change);
  await tx.query(
    "documents_count_terms",
    `WITH counted AS (UPDATE collection SET chunk_count = chunk_count + $4 WHERE id = $1 AND $4 <> 0)
     MERGE INTO term_frequency f
     USING unnest($2::int[], $3::int[]) AS t(term_key, chunks) ON f.collection_id = $1 AND f.term_key = t.term_key
      WHEN MATCHED AND f.chunk_count + t.chunks <= 0 THEN DELETE
      WHEN MATCHED THEN UPDATE SET chunk_count = f.chunk_count + t.chunks
      WHEN NOT MATCHED AND t.chunks > 0 THEN
        INSERT (collection_id, term_key, chunk_count) VALUES ($1, t.term_key, t.chunks)`,
    [
      collectionId,
      changes.map(([key]) => key),
      changes.map(([, chunks]) => chunks),
      change.added.length - change.removed.length,
    ],
  );
}

/** By rising key: neighbours stand on the same pages of the index. */
function netChanges({ added, removed }: TermChange): [key: number, chunks: number][] {
  const counts = new Map<number, number>();
  const count = (keys: readonly number[], by: number) => {
    for (const key of keys) {
      counts.set(key, (counts.get(key) ?? 0) + by);
    }
  };
  for (const keys of added) {
    count(keys, 1);
  }
  for (const keys of removed) {
    count(keys, -1);
  }
  return [...counts].filter(([, chunks]) => chunks !== 0).sort(([a], [b]) => a - b);
}
