import "server-only";

import { query, type Row } from "@/lib/platform/db/client";
import { LEXICON_VERSION } from "@/lib/text/bm25";

export interface Inventory {
  /** By scope and source type. */
  contents: { scope: string; sourceType: string; documents: number; chunks: number }[];
  /** By scope: how many chunks the current lexicon indexed. */
  words: { scope: string; space: string; chunks: number; current: number }[];
  /** By scope and embedding space: how many chunks have a vector in it. */
  vectors: { scope: string; space: string; chunks: number; covered: number }[];
}

/** The operator's view of the knowledge bases, without names or texts of tenants' documents. Reads every row. */
export async function readInventory(scope: string | null): Promise<Inventory> {
  const contents = await query<Row & Inventory["contents"][number]>(
    "documents_inventory",
    `SELECT d.scope, d.source_type AS "sourceType", count(*)::int AS documents,
            sum(d.chunk_count)::int AS chunks
       FROM document d
      WHERE $1::text IS NULL OR d.scope = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
    [scope],
  );
  const words = await query<Row & Inventory["words"][number]>(
    "documents_inventory_words",
    `SELECT o.scope, $2::text AS space, count(*)::int AS chunks,
            count(*) FILTER (WHERE c.lexicon_version = $2)::int AS current
       FROM chunk c JOIN collection o ON o.id = c.collection_id
      WHERE $1::text IS NULL OR o.scope = $1 GROUP BY 1 ORDER BY 1`,
    [scope, LEXICON_VERSION],
  );
  const covered = await query<{ scope: string; space: string; covered: number }>(
    "documents_inventory_vectors",
    `SELECT o.scope, v.space, count(*)::int AS covered
       FROM chunk_vector v JOIN collection o ON o.id = v.collection_id
      WHERE $1::text IS NULL OR o.scope = $1 GROUP BY 1, 2 ORDER BY 1, 2`,
    [scope],
  );
  const sizes = new Map(words.map((row) => [row.scope, row.chunks]));
  const vectors = covered.map((row) => ({ ...row, chunks: sizes.get(row.scope) ?? 0 }));
  return { contents, words, vectors };
}
