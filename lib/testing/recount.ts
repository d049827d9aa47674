/** Term counts that differ from a recount over the chunks. Always empty if ingestion and deletion are exact. */
export const WRONG_TERM_COUNTS = `
  SELECT coalesce(f.collection_id, c.collection_id) AS collection_id, coalesce(f.term_key, c.term_key) AS term_key,
         f.chunk_count AS kept, c.chunks AS recounted
    FROM document_frequency f
    FULL JOIN (SELECT c.collection_id, t.term_key, count(*) AS chunks
                 FROM chunk c, unnest(c.term_keys) AS t(term_key) GROUP BY 1, 2) c
      ON c.collection_id = f.collection_id AND c.term_key = f.term_key
   WHERE f.chunk_count IS DISTINCT FROM c.chunks LIMIT 10`;

/** Collections and documents whose chunk count differs from a recount. */
export const WRONG_CHUNK_COUNTS = `
  SELECT o.id, o.chunk_count AS kept, count(c.id) AS recounted
    FROM collection o LEFT JOIN chunk c ON c.collection_id = o.id
   GROUP BY o.id, o.chunk_count HAVING o.chunk_count <> count(c.id)
  UNION ALL
  SELECT d.id, d.chunk_count, count(c.id) FROM document d LEFT JOIN chunk c ON c.document_id = d.id
   GROUP BY d.id, d.chunk_count HAVING d.chunk_count <> count(c.id)`;

/** Words of collection $1 whose terms no chunk has. */
export const ORPHANED_VOCABULARY = `
  SELECT v.word FROM vocabulary v
   WHERE v.collection_id = $1
     AND NOT EXISTS (SELECT FROM chunk c WHERE c.collection_id = $1 AND v.term_key = ANY(c.term_keys))`;
