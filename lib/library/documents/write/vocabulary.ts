import "server-only";

import { setImmediate } from "node:timers/promises";
import { yieldIfLong } from "@/lib/event-loop";
import type { Session } from "@/lib/platform/db/client";
import type { SpellableWords } from "@/lib/text/spelling";
import type { CollectionKey } from "../collections";
import { termKey, vocabularyKeys } from "../term-keys";

/** Bounds a statement, during which the embedded database runs no other. */
const TERMS_PER_STATEMENT = 500;

interface Entry {
  key: number;
  word: string;
}

/** Adds the words of new chunks to the collection's vocabulary. The caller holds the collection's lock. */
export async function learnWords(
  tx: Session,
  collection: CollectionKey,
  passages: readonly SpellableWords[],
): Promise<void> {
  const words = await wordsByKey(collection, passages);
  // Sorted, because neighbors share pages of the index.
  const keys = Int32Array.from(words.keys()).sort();
  for (let start = 0; start < keys.length; start += TERMS_PER_STATEMENT) {
    const part = [...keys.subarray(start, start + TERMS_PER_STATEMENT)];
    const entries = part.flatMap((key) =>
      [...(words.get(key) ?? [])].map((word) => ({ key, word })),
    );
    const fresh = await findNew(tx, collection, entries);
    if (fresh.length > 0) {
      await tx.query(
        "documents_learn_words",
        `INSERT INTO vocabulary (collection_id, account_id, term_key, word, deletion_keys)
         SELECT $1, $2, w.term_key, w.word, w.deletion_keys::int[]
           FROM unnest($3::int[], $4::text[], $5::text[]) AS w(term_key, word, deletion_keys)
         ON CONFLICT DO NOTHING`,
        [
          collection.id,
          collection.accountId,
          fresh.map(({ key }) => key),
          fresh.map(({ word }) => word),
          fresh.map(({ word }) => `{${vocabularyKeys(collection.id, word)}}`),
        ],
      );
    }
    await setImmediate();
  }
}

async function wordsByKey(
  { id }: CollectionKey,
  passages: readonly SpellableWords[],
): Promise<Map<number, Set<string>>> {
  const byKey = new Map<number, Set<string>>();
  for (const words of passages) {
    for (const [word, term] of words) {
      const key = termKey(id, term, 0);
      const known = byKey.get(key);
      if (known) {
        known.add(word);
      } else {
        byKey.set(key, new Set([word]));
        await yieldIfLong();
      }
    }
  }
  return byKey;
}

/** Most words of a document are known already, and computing their deletions would take most of the time. */
async function findNew(
  tx: Session,
  { id, accountId }: CollectionKey,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const known = await tx.query<{ index: number }>(
    "documents_find_known_words",
    // LIMIT makes every plan look each word up. One made while the table was empty would join all words with the collection's.
    `SELECT w.index::int FROM unnest($3::int[], $4::text[]) WITH ORDINALITY AS w(term_key, word, index)
      CROSS JOIN LATERAL (SELECT FROM vocabulary v
                           WHERE v.collection_id = $1 AND v.term_key = w.term_key AND v.word = w.word AND v.account_id = $2
                           LIMIT 1) AS known`,
    [id, accountId, entries.map(({ key }) => key), entries.map(({ word }) => word)],
  );
  const indexes = new Set(known.map(({ index }) => index - 1));
  return entries.filter((_, index) => !indexes.has(index));
}

/** Deletes the terms that no chunk has anymore, with their words. The caller holds the collection's lock. */
export async function forgetTerms(
  tx: Session,
  { id, accountId }: CollectionKey,
  keys: readonly number[],
): Promise<void> {
  const values = [id, accountId, `{${keys.join(",")}}`];
  await tx.query(
    "documents_forget_terms",
    `DELETE FROM document_frequency
      WHERE collection_id = $1 AND account_id = $2 AND term_key = ANY($3::int[]) AND chunk_count <= 0`,
    values,
  );
  await tx.query(
    "documents_forget_words",
    // OFFSET makes every plan look each term up. As a join, one made while a table was nearly empty compares each word with
    // all terms of the collection.
    `DELETE FROM vocabulary v
      WHERE v.collection_id = $1 AND v.account_id = $2 AND v.term_key = ANY($3::int[])
        AND NOT EXISTS (SELECT FROM document_frequency f
                         WHERE f.collection_id = $1 AND f.account_id = $2 AND f.term_key = v.term_key OFFSET 0)`,
    values,
  );
}
