import "server-only";

import type { Session } from "@/lib/db";

/** The keys of chunks: those that come into a collection, and those that leave it. */
export interface TermChange {
  added: readonly (readonly number[])[];
  removed: readonly (readonly number[])[];
}

/**
 * Keeps a collection's term counts equal to a recount over its chunks. The collection's lock is held by
 * the caller.
 */
export async function countTerms(
  tx: Session,
  collectionId: string,
  change: TermChange,
): Promise<void> {
  const changes = netChanges(change);
  const more = changes.filter(([, chunks]) => chunks > 0);
  const fewer = changes.filter(([, chunks]) => chunks < 0);
  if (more.length > 0) {
    await tx.query(
      "documents_count_terms",
      `INSERT INTO term_frequency (collection_id, term_key, chunk_count)
       SELECT $1, t.term_key, t.chunks FROM unnest($2::int[], $3::int[]) AS t(term_key, chunks)
       ON CONFLICT (collection_id, term_key)
       DO UPDATE SET chunk_count = term_frequency.chunk_count + excluded.chunk_count`,
      [collectionId, ...columns(more)],
    );
  }
  if (fewer.length > 0) {
    await tx.query(
      "documents_uncount_terms",
      `UPDATE term_frequency f SET chunk_count = f.chunk_count + t.chunks
         FROM unnest($2::int[], $3::int[]) AS t(term_key, chunks)
        WHERE f.collection_id = $1 AND f.term_key = t.term_key`,
      [collectionId, ...columns(fewer)],
    );
    await tx.query(
      "documents_drop_terms",
      `DELETE FROM term_frequency WHERE collection_id = $1 AND term_key = ANY($2::int[]) AND chunk_count <= 0`,
      [collectionId, fewer.map(([key]) => key)],
    );
  }
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
  return [...counts].sort(([a], [b]) => a - b);
}

function columns(changes: readonly [key: number, chunks: number][]): [number[], number[]] {
  return [changes.map(([key]) => key), changes.map(([, chunks]) => chunks)];
}
