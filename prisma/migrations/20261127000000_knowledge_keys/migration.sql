-- The knowledge base's rows know their account, all of them: what is public belongs to an account of the operator's own,
-- which nobody signs in to. The account joins the keys of nine tables and the references between them, so that these can
-- be distributed by account too (docs/scaling.md#citus-by-account). Keys begin with what is looked for, as before.
--
-- Written anew, while nothing else reads or writes these tables: each public row, and each count of a term. Requests that
-- neither search nor touch documents go on, but for the last moment, in which accounts are locked. The vector indexes of the
-- public knowledge base are dropped first, since adding each row to them would take longest; the workers build them again. Until
-- then searches read all of its vectors: from about a million on they may take longer than their deadline and be refused.
-- With 100,000 chunks, half of them public, and 1.4 million counts it took 13 s on two cores.
-- Where many rows are not public, the indexes that are made here IF NOT EXISTS may be built before, with CREATE UNIQUE INDEX
-- CONCURRENTLY: one that stands already under its name is taken as it is.
--
-- Not beside servers and workers of before: these find nothing public, take and delete no documents, and fail the jobs that
-- they take. Stop them first.

-- In the order in which transactions take them.
LOCK TABLE collection, job, document, document_upload, chunk, chunk_vector, vector_index, term_frequency,
    deleted_document IN ACCESS EXCLUSIVE MODE;

INSERT INTO "account" ("id", "name") VALUES ('acct_public', 'Public knowledge base');

-- References go before the keys that they lead to, those to accounts at the end, since dropping one locks accounts too;
-- and keys that are replaced go before the rows are written anew.
ALTER TABLE "chunk_vector" DROP CONSTRAINT "chunk_vector_chunk_id_fkey", DROP CONSTRAINT "chunk_vector_pkey";
ALTER TABLE "chunk" DROP CONSTRAINT "chunk_document_id_fkey", DROP CONSTRAINT "chunk_pkey";
ALTER TABLE "document_upload" DROP CONSTRAINT "document_upload_document_id_fkey",
    DROP CONSTRAINT "document_upload_pkey";
ALTER TABLE "document" DROP CONSTRAINT "document_collection_id_fkey", DROP CONSTRAINT "document_pkey";
ALTER TABLE "vector_index" DROP CONSTRAINT "vector_index_collection_id_fkey", DROP CONSTRAINT "vector_index_pkey";
ALTER TABLE "deleted_document" DROP CONSTRAINT "deleted_document_collection_id_fkey",
    DROP CONSTRAINT "deleted_document_pkey";
ALTER TABLE "collection" DROP CONSTRAINT "collection_pkey";
ALTER TABLE "term_frequency" DROP CONSTRAINT "term_frequency_pkey";
ALTER TABLE "job" DROP CONSTRAINT "job_pkey";
DROP INDEX "chunk_document_id_ordinal_key", "chunk_document_id_account_id_idx",
    "document_collection_id_content_hash_key", "vector_index_name_key";

DO $$
DECLARE
    v_name text;
BEGIN
    FOR v_name IN DELETE FROM vector_index v USING collection o
                   WHERE o.id = v.collection_id AND o.account_id IS NULL RETURNING v.name LOOP
        EXECUTE format('DROP INDEX IF EXISTS %I', v_name);
    END LOOP;
END $$;

ALTER TABLE "document_upload" ADD COLUMN "account_id" TEXT;
ALTER TABLE "vector_index" ADD COLUMN "account_id" TEXT;
ALTER TABLE "term_frequency" ADD COLUMN "account_id" TEXT;
-- Nothing refers to a collection from its counts; none should be left without one.
DELETE FROM "term_frequency" f WHERE NOT EXISTS (SELECT FROM "collection" o WHERE o."id" = f."collection_id");
UPDATE "collection" SET "account_id" = 'acct_public' WHERE "account_id" IS NULL;
UPDATE "document" SET "account_id" = 'acct_public' WHERE "account_id" IS NULL;
UPDATE "chunk" SET "account_id" = 'acct_public' WHERE "account_id" IS NULL;
UPDATE "chunk_vector" SET "account_id" = 'acct_public' WHERE "account_id" IS NULL;
UPDATE "deleted_document" SET "account_id" = 'acct_public' WHERE "account_id" IS NULL;
UPDATE "job" SET "account_id" = 'acct_public' WHERE "account_id" IS NULL;
UPDATE "document_upload" u SET "account_id" = d."account_id" FROM "document" d WHERE d."id" = u."document_id";
UPDATE "vector_index" v SET "account_id" = o."account_id" FROM "collection" o WHERE o."id" = v."collection_id";
UPDATE "term_frequency" f SET "account_id" = o."account_id" FROM "collection" o WHERE o."id" = f."collection_id";

ALTER TABLE "collection" ALTER COLUMN "account_id" SET NOT NULL;
ALTER TABLE "document" ALTER COLUMN "account_id" SET NOT NULL;
ALTER TABLE "chunk" ALTER COLUMN "account_id" SET NOT NULL;
ALTER TABLE "chunk_vector" ALTER COLUMN "account_id" SET NOT NULL;
ALTER TABLE "deleted_document" ALTER COLUMN "account_id" SET NOT NULL;
ALTER TABLE "job" ALTER COLUMN "account_id" SET NOT NULL;
ALTER TABLE "document_upload" ALTER COLUMN "account_id" SET NOT NULL;
ALTER TABLE "vector_index" ALTER COLUMN "account_id" SET NOT NULL;
ALTER TABLE "term_frequency" ALTER COLUMN "account_id" SET NOT NULL;

CREATE UNIQUE INDEX IF NOT EXISTS "collection_id_account_id_key" ON "collection"("id", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "document_id_account_id_key" ON "document"("id", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "document_collection_id_content_hash_account_id_key"
    ON "document"("collection_id", "content_hash", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "chunk_id_account_id_key" ON "chunk"("id", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "chunk_document_id_ordinal_account_id_key"
    ON "chunk"("document_id", "ordinal", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "chunk_vector_chunk_id_space_account_id_key"
    ON "chunk_vector"("chunk_id", "space", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "deleted_document_document_id_account_id_key"
    ON "deleted_document"("document_id", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "job_id_account_id_key" ON "job"("id", "account_id");
CREATE UNIQUE INDEX "vector_index_name_account_id_key" ON "vector_index"("name", "account_id");
DO $$
DECLARE
    v_index regclass;
BEGIN
    FOR v_index IN SELECT indexrelid FROM pg_index
                    WHERE NOT indisvalid AND indrelid IN ('chunk'::regclass, 'document'::regclass) LOOP
        RAISE EXCEPTION 'the index % is not valid: drop it, and start again', v_index;
    END LOOP;
END $$;

ALTER TABLE "collection"
    ADD CONSTRAINT "collection_pkey" PRIMARY KEY USING INDEX "collection_id_account_id_key";
ALTER TABLE "document"
    ADD CONSTRAINT "document_pkey" PRIMARY KEY USING INDEX "document_id_account_id_key";
ALTER TABLE "chunk" ADD CONSTRAINT "chunk_pkey" PRIMARY KEY USING INDEX "chunk_id_account_id_key";
ALTER TABLE "chunk_vector"
    ADD CONSTRAINT "chunk_vector_pkey" PRIMARY KEY USING INDEX "chunk_vector_chunk_id_space_account_id_key";
ALTER TABLE "deleted_document"
    ADD CONSTRAINT "deleted_document_pkey" PRIMARY KEY USING INDEX "deleted_document_document_id_account_id_key";
ALTER TABLE "job" ADD CONSTRAINT "job_pkey" PRIMARY KEY USING INDEX "job_id_account_id_key";
ALTER TABLE "document_upload" ADD CONSTRAINT "document_upload_pkey" PRIMARY KEY ("document_id", "account_id");
ALTER TABLE "vector_index" ADD CONSTRAINT "vector_index_pkey" PRIMARY KEY ("collection_id", "space", "account_id");
ALTER TABLE "term_frequency"
    ADD CONSTRAINT "term_frequency_pkey" PRIMARY KEY ("collection_id", "term_key", "account_id");

-- The next migration checks them. To accounts last: from here on, which takes no time, all requests wait.
ALTER TABLE "document" ADD CONSTRAINT "document_collection_id_account_id_fkey"
    FOREIGN KEY ("collection_id", "account_id") REFERENCES "collection"("id", "account_id")
    ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "document_upload" ADD CONSTRAINT "document_upload_document_id_account_id_fkey"
    FOREIGN KEY ("document_id", "account_id") REFERENCES "document"("id", "account_id")
    ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "chunk" ADD CONSTRAINT "chunk_document_id_account_id_fkey"
    FOREIGN KEY ("document_id", "account_id") REFERENCES "document"("id", "account_id")
    ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "chunk_vector" ADD CONSTRAINT "chunk_vector_chunk_id_account_id_fkey"
    FOREIGN KEY ("chunk_id", "account_id") REFERENCES "chunk"("id", "account_id")
    ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "vector_index" ADD CONSTRAINT "vector_index_collection_id_account_id_fkey"
    FOREIGN KEY ("collection_id", "account_id") REFERENCES "collection"("id", "account_id")
    ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "deleted_document" ADD CONSTRAINT "deleted_document_collection_id_account_id_fkey"
    FOREIGN KEY ("collection_id", "account_id") REFERENCES "collection"("id", "account_id")
    ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "collection" DROP CONSTRAINT "collection_account_id_fkey", ADD CONSTRAINT "collection_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "document" DROP CONSTRAINT "document_account_id_fkey", ADD CONSTRAINT "document_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "deleted_document" DROP CONSTRAINT "deleted_document_account_id_fkey", ADD CONSTRAINT "deleted_document_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "job" DROP CONSTRAINT "job_account_id_fkey", ADD CONSTRAINT "job_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

CREATE OR REPLACE FUNCTION drop_term_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM term_frequency WHERE collection_id = OLD.id AND account_id = OLD.account_id;
    RETURN NULL;
END
$$;

ALTER POLICY public_knowledge ON chunk USING (account_id = 'acct_public');
ALTER POLICY public_knowledge ON chunk_vector USING (account_id = 'acct_public');
ALTER POLICY public_knowledge ON collection USING (account_id = 'acct_public');
ALTER POLICY public_knowledge ON deleted_document USING (account_id = 'acct_public');
ALTER POLICY public_knowledge ON document USING (account_id = 'acct_public');
ALTER POLICY public_knowledge ON term_frequency USING (account_id = 'acct_public');
ALTER POLICY public_knowledge ON vector_index USING (account_id = 'acct_public');
ALTER POLICY own_account ON document_upload USING (account_id = current_setting('footnote.account_id', true));
ALTER POLICY own_account ON term_frequency USING (account_id = current_setting('footnote.account_id', true));
ALTER POLICY own_account ON vector_index USING (account_id = current_setting('footnote.account_id', true));
