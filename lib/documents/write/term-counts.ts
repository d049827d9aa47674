import "server-only";

import type { Session } from "@/lib/db/client";
import type { CollectionKey } from "../collections";

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
      // Written here: the driver would quote each number for itself.
      `{${keys.join(",")}}`,
      `{${chunks.join(",")}}`,
      change.added.length - change.removed.length,
      accountId,
    ],
  );
}

/** By rising key: neighbours stand on the same pages of the index. */
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
  const rising = keys.subarray(0, changed).sort();
  return { keys: rising, chunks: rising.map((key) => counts.get(key) ?? 0) };
}

function count(counts: Map<number, number>, passages: TermChange["added"], by: number): void {
  for (const keys of passages) {
    for (const key of keys) {
      counts.set(key, (counts.get(key) ?? 0) + by);
    }
  }
}
