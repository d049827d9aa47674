-- Words: keys of a collection's own in place of bare terms. The chunks of the older word space keep
-- theirs until they are indexed again in the background.
ALTER TABLE "chunk" RENAME COLUMN "embedding_space" TO "word_space";
ALTER TABLE "chunk" RENAME COLUMN "terms" TO "term_keys";
ALTER INDEX "chunk_terms_idx" RENAME TO "chunk_term_keys_idx";
ALTER TABLE "chunk" ADD COLUMN "warnings" TEXT[];
-- Read for every candidate of a search: never moved out of the row, as the text and the keys are.
ALTER TABLE "chunk" ALTER COLUMN "weights" SET STORAGE MAIN;

ALTER TABLE "term_frequency" RENAME COLUMN "term" TO "term_key";

ALTER TABLE "document_upload" ADD COLUMN "name" TEXT, ADD COLUMN "title" TEXT;

-- Vectors: a narrow table of their own, so that an exact scan of a collection reads nothing else.
CREATE TABLE "chunk_vector" (
    "space" TEXT NOT NULL,
    "chunk_id" TEXT NOT NULL,
    "collection_id" TEXT NOT NULL,
    "account_id" TEXT,
    "source_type" TEXT NOT NULL,
    "embedding" halfvec NOT NULL,

    CONSTRAINT "chunk_vector_pkey" PRIMARY KEY ("chunk_id", "space")
);
-- A row fits a page up to 3,800 dimensions; out of the row each distance would cost a look-up.
ALTER TABLE "chunk_vector" ALTER COLUMN "embedding" SET STORAGE PLAIN;

CREATE TABLE "vector_index" (
    "collection_id" TEXT NOT NULL,
    "space" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "vector_index_pkey" PRIMARY KEY ("collection_id", "space")
);

CREATE INDEX "chunk_vector_collection_id_space_idx" ON "chunk_vector"("collection_id", "space");
CREATE UNIQUE INDEX "vector_index_name_key" ON "vector_index"("name");

ALTER TABLE "chunk_vector" ADD CONSTRAINT "chunk_vector_chunk_id_fkey" FOREIGN KEY ("chunk_id") REFERENCES "chunk"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "vector_index" ADD CONSTRAINT "vector_index_collection_id_fkey" FOREIGN KEY ("collection_id") REFERENCES "collection"("id") ON DELETE CASCADE ON UPDATE CASCADE;
