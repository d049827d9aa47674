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
  const changes = await netChanges(change);
  // Sorted, because neighbors share pages of the index.
  const keys = Int32Array.from(changes.keys()).sort();
  await tx.query(
    "documents_count_chunks",
    `UPDATE collection SET chunk_count = chunk_count + $3
      WHERE id = $1 AND account_id = $2 AND $3 <> 0`,
    [id, accountId, change.added.length - change.removed.length],
  );
  for (let start = 0; start < keys.length; start += TERMS_PER_STATEMENT) {
    const part = keys.subarray(start, start + TERMS_PER_STATEMENT);
    const chunks = part.map((key) => changes.get(key) ?? 0);
    await mergeTerms(tx, collection, { keys: part, chunks });
    await setImmediate();
  }
  if (change.removed.length > 0) {
    const fewer = keys.filter((key) => (changes.get(key) ?? 0) < 0);
    for (let start = 0; start < fewer.length; start += TERMS_PER_STATEMENT) {
      await forgetTerms(tx, collection, [...fewer.subarray(start, start + TERMS_PER_STATEMENT)]);
      await setImmediate();
    }
  }
}

async function mergeTerms(
  tx: Session,
  { id, accountId }: CollectionKey,
  { keys, chunks }: { keys: Int32Array; chunks: Int32Array },
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

/** By how many chunks each term key has more, or fewer. */
async function netChanges({ added, removed }: TermChange): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const [passages, by] of [[added, 1] as const, [removed, -1] as const]) {
    for (const keys of passages) {
      for (const key of keys) {
        const count = (counts.get(key) ?? 0) + by;
        if (count === 0) {
          counts.delete(key);
        } else {
          counts.set(key, count);
        }
      }
      await yieldIfLong();
    }
  }
  return counts;
}
