import "server-only";

import { queryUntil } from "@/lib/db/client";
import { type Collection, PUBLIC_COLLECTION } from "@/lib/documents/collections";
import { keysOf, type WordStatistics } from "../query-terms";

export interface Statistics extends WordStatistics {
  /** The collections with a vector index in this space. */
  indexed: ReadonlySet<string>;
}

/**
 * Sizes of the collections and document frequencies of the query's terms. Always includes the public collection, so
 * that a small collection also knows which words are common.
 */
export async function readStatistics(
  signal: AbortSignal,
  collections: readonly Collection[],
  { terms, space }: { terms: readonly number[]; space: string | null },
): Promise<Statistics> {
  const ids = [...new Set([PUBLIC_COLLECTION.id, ...collections.map(({ id }) => id)])];
  const keys = ids.flatMap((id) => keysOf(id, terms).map((key) => ({ id, key })));
  const rows = await queryUntil<{
    id: string;
    term_key: number | null;
    chunks: number;
    is_indexed: boolean;
  }>(
    signal,
    "retrieval_statistics",
    `SELECT c.id, NULL::int AS term_key, c.chunk_count AS chunks, v.name IS NOT NULL AS is_indexed
       FROM collection c LEFT JOIN vector_index v ON v.collection_id = c.id AND v.space = $4
      WHERE c.id = ANY($1)
     UNION ALL
     SELECT f.collection_id, f.term_key, f.chunk_count, false
       FROM unnest($2::text[], $3::int[]) AS k(collection_id, term_key)
       JOIN document_frequency f ON f.collection_id = k.collection_id AND f.term_key = k.term_key`,
    [ids, keys.map(({ id }) => id), keys.map(({ key }) => key), space],
  );
  const sizes = rows.filter(({ term_key }) => term_key === null);
  return {
    sizes: new Map(sizes.map(({ id, chunks }) => [id, chunks])),
    indexed: new Set(sizes.filter(({ is_indexed }) => is_indexed).map(({ id }) => id)),
    counts: new Map(
      ids.map((id) => [
        id,
        new Map(
          rows.flatMap((row) =>
            row.id === id && row.term_key !== null ? [[row.term_key, row.chunks] as const] : [],
          ),
        ),
      ]),
    ),
  };
}
