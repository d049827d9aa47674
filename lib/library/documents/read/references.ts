import "server-only";

import { query, type Row } from "@/lib/platform/db/client";
import { LEXICON_VERSION } from "@/lib/text/bm25";
import type { Collection } from "../collections";

/**
 * The searchable documents that each reference names in some collections: by id, URL, title, or the id they were
 * imported with. For operators: it reads every document.
 */
export async function findReferenced(
  collections: readonly Collection[],
  references: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await query<{ reference: string; ids: string[] }>(
    "documents_referenced",
    // A join for each, because PostgreSQL can't hash alternatives.
    `WITH wanted AS (SELECT DISTINCT reference FROM unnest($2::text[]) AS r(reference)),
          searched AS (SELECT id, url, title, metadata->>'id' AS key FROM document
                        WHERE collection_id = ANY($1) AND account_id = ANY($3) AND chunk_count > 0)
     SELECT reference, array_agg(DISTINCT id) AS ids FROM (
       SELECT w.reference, d.id FROM wanted w JOIN searched d ON d.id = w.reference UNION ALL
       SELECT w.reference, d.id FROM wanted w JOIN searched d ON d.url = w.reference UNION ALL
       SELECT w.reference, d.id FROM wanted w JOIN searched d ON d.key = w.reference UNION ALL
       SELECT w.reference, d.id FROM wanted w JOIN searched d ON lower(d.title) = lower(w.reference)
     ) AS found GROUP BY reference`,
    [collections.map(({ id }) => id), references, collections.map(({ accountId }) => accountId)],
  );
  return new Map(rows.map(({ reference, ids }) => [reference, ids]));
}

export interface CollectionSize {
  id: string;
  documents: number;
  chunks: number;
  /** Chunks that the current lexicon indexed. */
  current: number;
}

/** How much there is to search. A collection without documents is left out. */
export async function measureCollections(
  collections: readonly Collection[],
): Promise<CollectionSize[]> {
  return query<Row & CollectionSize>(
    "documents_collection_sizes",
    `SELECT collection_id AS id, count(DISTINCT document_id)::int AS documents, count(*)::int AS chunks,
            count(*) FILTER (WHERE lexicon_version = $2)::int AS current
       FROM chunk WHERE collection_id = ANY($1) AND account_id = ANY($3) GROUP BY 1`,
    [
      collections.map(({ id }) => id),
      LEXICON_VERSION,
      collections.map(({ accountId }) => accountId),
    ],
  );
}
