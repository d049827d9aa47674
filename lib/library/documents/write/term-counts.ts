import "server-only";

import { setImmediate } from "node:timers/promises";
import { yieldIfLong } from "@/lib/event-loop";
import type { Session } from "@/lib/platform/db/client";
import type { CollectionKey } from "../collections";
import { forgetTerms } from "./vocabulary";

/** Bounds a statement, during which the embedded database runs no other. */
const TERMS_PER_STATEMENT = 2000;

/** Term keys of the chunks that a change adds to a collection and removes from it. */
export interface TermChange {
  added: readonly (readonly number[])[];
  removed: readonly (readonly number[])[];
}

/** Term keys, and by how many chunks each of them has more, or fewer. */
interface TermCounts {
  keys: Int32Array;
  chunks: Int32Array;
}

/**
 * Keeps a collection's chunk and term counts equal to a recount, and forgets the words of terms that are gone. The
 * caller holds the collection's lock.
 */
export async function countTerms(
  tx: Session,
  collection: CollectionKey,
  change: TermChange,
): Promise<void> {
  const { id, accountId } = collection;
  const { keys, chunks } = await netChanges(change);
  await tx.query(
    "documents_count_chunks",
    `UPDATE collection SET chunk_count = chunk_count + $3
      WHERE id = $1 AND account_id = $2 AND $3 <> 0`,
    [id, accountId, change.added.length - change.removed.length],
  );
  for (let start = 0; start < keys.length; start += TERMS_PER_STATEMENT) {
    const end = start + TERMS_PER_STATEMENT;
    const part = { keys: keys.subarray(start, end), chunks: chunks.subarray(start, end) };
    await mergeTerms(tx, collection, part);
    await setImmediate();
  }
  if (change.removed.length > 0) {
    const fewer = keys.filter((_, index) => (chunks[index] ?? 0) < 0);
    for (let start = 0; start < fewer.length; start += TERMS_PER_STATEMENT) {
      await forgetTerms(tx, collection, [...fewer.subarray(start, start + TERMS_PER_STATEMENT)]);
      await setImmediate();
    }
  }
}

async function mergeTerms(
  tx: Session,
  { id, accountId }: CollectionKey,
  { keys, chunks }: TermCounts,
): Promise<void> {
  await tx.query(
    "documents_count_terms",
    // Looks each term up in every plan. MERGE would join them with all terms of the collection once its plan was made
    // while the table was small.
    `INSERT INTO document_frequency AS f (collection_id, account_id, term_key, chunk_count)
     SELECT $1, $4, t.term_key, t.chunks FROM unnest($2::int[], $3::int[]) AS t(term_key, chunks)
     ON CONFLICT (collection_id, term_key, account_id) DO UPDATE SET chunk_count = f.chunk_count + excluded.chunk_count`,
    [
      id,
      // Formatted here, because the driver would quote each number.
      `{${keys.join(",")}}`,
      `{${chunks.join(",")}}`,
      accountId,
    ],
  );
}

/** Sorted by key, because neighbors share pages of the index. */
async function netChanges({ added, removed }: TermChange): Promise<TermCounts> {
  // By the first byte of a key, in the order of the keys: to sort all of them at once would hold the event loop.
  const buckets = Array.from({ length: 256 }, () => new Map<number, number>());
  for (const [passages, by] of [[added, 1] as const, [removed, -1] as const]) {
    for (const keys of passages) {
      for (const key of keys) {
        const counts = buckets[(key >> 24) + 128];
        counts?.set(key, (counts.get(key) ?? 0) + by);
      }
      await yieldIfLong();
    }
  }
  return inOrder(buckets);
}

/** The counts that changed, of buckets in the order of their keys. */
async function inOrder(buckets: readonly Map<number, number>[]): Promise<TermCounts> {
  const most = buckets.reduce((sum, { size }) => sum + size, 0);
  const changed = { keys: new Int32Array(most), chunks: new Int32Array(most) };
  let size = 0;
  for (const counts of buckets) {
    for (const key of Int32Array.from(counts.keys()).sort()) {
      const count = counts.get(key) ?? 0;
      if (count !== 0) {
        changed.keys[size] = key;
        changed.chunks[size] = count;
        size += 1;
      }
    }
    await yieldIfLong();
  }
  return { keys: changed.keys.subarray(0, size), chunks: changed.chunks.subarray(0, size) };
}
