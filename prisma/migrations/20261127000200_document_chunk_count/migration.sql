-- A document knows how many chunks it has: a list of documents counted all of theirs each time.
ALTER TABLE "document" ADD COLUMN "chunk_count" INTEGER NOT NULL DEFAULT 0;
UPDATE "document" d SET "chunk_count" = c.chunks
    FROM (SELECT document_id, account_id, count(*)::int AS chunks FROM chunk GROUP BY 1, 2) c
    WHERE c.document_id = d.id AND c.account_id = d.account_id;
