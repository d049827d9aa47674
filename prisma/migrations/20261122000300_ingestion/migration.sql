-- Texts are compressed by lz4 where the server was built with it: with pglz, compressing was most of what
-- storing a document cost. What is stored already stays as it is and is read as before.
DO $$
BEGIN
    ALTER TABLE "document" ALTER COLUMN "text" SET COMPRESSION lz4;
    ALTER TABLE "chunk" ALTER COLUMN "text" SET COMPRESSION lz4, ALTER COLUMN "term_keys" SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    NULL;
END $$;

-- A count is raised over and over: with room left on its page, its index needs no new entry.
ALTER TABLE "term_frequency" SET (fillfactor = 60);
