import "server-only";

import { queryUntil } from "@/lib/platform/db/client";
import { toIntArray } from "@/lib/platform/db/postgres-text";
import { deletionKeys, termOfKey } from "../term-keys";

/** Bounds the time in which words are compared with the query's. */
const MOST_SIMILAR = 500;

/** Words of the collections that share one of the deletions, with their terms; a word once per collection that has it. */
export async function findSimilarWords(
  signal: AbortSignal,
  {
    collectionIds,
    accountIds,
    deletions,
    shortest,
    longest,
  }: {
    collectionIds: readonly string[];
    accountIds: readonly string[];
    deletions: readonly string[];
    /** In characters. */
    shortest: number;
    longest: number;
  },
): Promise<{ word: string; term: number }[]> {
  const rows = await queryUntil<{ collection_id: string; word: string; term_key: number }>(
    signal,
    "documents_similar_words",
    // The keys already select the collections; see `searchLexical`. The planner expects thousands of words for 37 keys and
    // starts parallel workers for the two that there are; `random` is a function that workers may not call.
    `SELECT v.collection_id, v.word, v.term_key FROM vocabulary v
      WHERE v.deletion_keys && $1::int[] AND v.collection_id || '' = ANY($2) AND v.account_id || '' = ANY($3)
        AND length(v.word) BETWEEN $4 AND $5 AND random() >= 0 LIMIT $6`,
    [
      toIntArray(collectionIds.flatMap((id) => deletionKeys(id, deletions))),
      collectionIds,
      accountIds,
      shortest,
      longest,
      MOST_SIMILAR,
    ],
  );
  return rows.map(({ collection_id, word, term_key }) => ({
    word,
    term: termOfKey(collection_id, term_key),
  }));
}
