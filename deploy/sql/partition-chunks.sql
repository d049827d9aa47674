-- Partitions chunk and chunk_vector into 16 by the hash of their collection; docs/scaling.md#partitioning has the results. Not a
-- migration: Footnote's keys and two of its statements would have to change with it (the same page says which).
-- Run it on a copy, with no writers:  psql -v ON_ERROR_STOP=1 -1 -f deploy/sql/partition-chunks.sql
SET LOCAL maintenance_work_mem = '1GB';

ALTER TABLE chunk_vector DROP CONSTRAINT chunk_vector_chunk_id_account_id_fkey;
ALTER TABLE chunk RENAME TO chunk_whole;
ALTER TABLE chunk_vector RENAME TO chunk_vector_whole;

CREATE TABLE chunk (LIKE chunk_whole INCLUDING DEFAULTS INCLUDING STORAGE INCLUDING COMPRESSION)
    PARTITION BY HASH (collection_id);
CREATE TABLE chunk_vector (LIKE chunk_vector_whole INCLUDING DEFAULTS INCLUDING STORAGE)
    PARTITION BY HASH (collection_id);
DO $$ BEGIN
    FOR part IN 0 .. 15 LOOP
        EXECUTE format('CREATE TABLE chunk_%s PARTITION OF chunk FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
        EXECUTE format('CREATE TABLE chunk_vector_%s PARTITION OF chunk_vector FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
                       part, part);
    END LOOP;
END $$;

INSERT INTO chunk SELECT * FROM chunk_whole;
INSERT INTO chunk_vector SELECT * FROM chunk_vector_whole;

-- A key of a partitioned table must include the partition key.
ALTER TABLE chunk ADD PRIMARY KEY (collection_id, id);
ALTER TABLE chunk ADD UNIQUE (collection_id, document_id, ordinal);
ALTER TABLE chunk_vector ADD PRIMARY KEY (collection_id, chunk_id, space);
CREATE INDEX ON chunk (id);
CREATE INDEX ON chunk (document_id);
CREATE INDEX ON chunk USING gin (term_keys);
CREATE INDEX ON chunk_vector (collection_id, space);
ALTER TABLE chunk ADD FOREIGN KEY (document_id, account_id) REFERENCES document (id, account_id) ON DELETE CASCADE;
ALTER TABLE chunk_vector ADD FOREIGN KEY (collection_id, chunk_id) REFERENCES chunk (collection_id, id)
    ON DELETE CASCADE;

-- Recreate each large collection's own index on the partition that has its vectors.
DO $$ DECLARE big record; BEGIN
    FOR big IN SELECT i.name, i.collection_id, i.space, split_part(split_part(i.space, '@', 2), '#', 1) AS dimensions
               FROM vector_index i LOOP
        EXECUTE format('CREATE INDEX %I ON %s USING hnsw ((embedding::halfvec(%s)) halfvec_cosine_ops)
                        WITH (ef_construction = 128) WHERE collection_id = %L AND space = %L',
            big.name || '_p',
            (SELECT tableoid::regclass FROM chunk_vector WHERE collection_id = big.collection_id LIMIT 1),
            big.dimensions, big.collection_id, big.space);
    END LOOP;
END $$;
