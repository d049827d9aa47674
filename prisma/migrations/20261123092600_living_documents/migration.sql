-- Documents that change: the caller's own ids, replacements and standing. Servers of the previous version can keep running,
-- except that a job of a replacement which they take fails and is tried again.

-- external_id: the caller's own id, unique in its collection. has_own_title: the caller gave the title, so that a replacement
-- without one keeps it. updated_at: of the text or the description; null if neither has changed.
ALTER TABLE document
    ADD COLUMN external_id text,
    ADD COLUMN standing text NOT NULL DEFAULT 'current'
        CONSTRAINT document_standing_check CHECK (standing IN ('current', 'superseded', 'retracted')),
    ADD COLUMN has_own_title boolean NOT NULL DEFAULT false,
    ADD COLUMN updated_at timestamptz(3);

CREATE UNIQUE INDEX document_collection_id_external_id_account_id_key
    ON document (collection_id, external_id, account_id);

-- The same bytes are one document, unless they have different external ids.
DROP INDEX document_collection_id_content_hash_account_id_key;
CREATE UNIQUE INDEX document_collection_id_content_hash_external_id_account_id_key
    ON document (collection_id, content_hash, external_id, account_id) NULLS NOT DISTINCT;

-- A new version of a document that has one: the hash of its bytes, and the fields that the upload names. Both replace the
-- document's when the job completes. Null for a first version.
ALTER TABLE document_upload
    ADD COLUMN content_hash bytea,
    ADD COLUMN description jsonb;

-- Copies of the document's standing, so that searches leave retracted passages out before they rank.
ALTER TABLE chunk ADD COLUMN is_retracted boolean NOT NULL DEFAULT false;
ALTER TABLE chunk_vector ADD COLUMN is_retracted boolean NOT NULL DEFAULT false;
