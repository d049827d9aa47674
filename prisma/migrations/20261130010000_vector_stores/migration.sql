-- Files and vector stores in OpenAI's shapes. A file is a document, which may not have been indexed yet.

-- Null for documents that weren't uploaded as files. Until its first job, such a file isn't searchable.
ALTER TABLE document ADD COLUMN purpose text;

-- A named set of documents within one collection.
CREATE TABLE vector_store (
    id             text NOT NULL,
    account_id     text NOT NULL,
    collection_id  text NOT NULL,
    name           text NOT NULL DEFAULT '',
    description    text NOT NULL DEFAULT '',
    metadata       jsonb NOT NULL DEFAULT '{}',
    -- It expires when it wasn't used for so many days; null if it never does.
    expires_days   integer,
    last_active_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    created_at     timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT vector_store_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT vector_store_collection_id_account_id_fkey FOREIGN KEY (collection_id, account_id)
        REFERENCES collection (id, account_id) ON DELETE CASCADE
);
CREATE INDEX vector_store_collection_id_account_id_idx ON vector_store (collection_id, account_id);

-- A document may be in several stores.
CREATE TABLE vector_store_file (
    store_id    text NOT NULL,
    document_id text NOT NULL,
    account_id  text NOT NULL,
    created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT vector_store_file_pkey PRIMARY KEY (store_id, document_id, account_id),
    CONSTRAINT vector_store_file_store_id_account_id_fkey FOREIGN KEY (store_id, account_id)
        REFERENCES vector_store (id, account_id) ON DELETE CASCADE,
    CONSTRAINT vector_store_file_document_id_account_id_fkey FOREIGN KEY (document_id, account_id)
        REFERENCES document (id, account_id) ON DELETE CASCADE
);
CREATE INDEX vector_store_file_document_id_account_id_idx ON vector_store_file (document_id, account_id);

-- Files that one request added. `store_id` can be a knowledge base's, which has no row in vector_store.
CREATE TABLE vector_store_batch (
    id            text NOT NULL,
    account_id    text NOT NULL,
    collection_id text NOT NULL,
    store_id      text NOT NULL,
    document_ids  text[] NOT NULL,
    is_cancelled  boolean NOT NULL DEFAULT false,
    created_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT vector_store_batch_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT vector_store_batch_collection_id_account_id_fkey FOREIGN KEY (collection_id, account_id)
        REFERENCES collection (id, account_id) ON DELETE CASCADE
);
CREATE INDEX vector_store_batch_collection_id_account_id_idx ON vector_store_batch (collection_id, account_id);
CREATE INDEX vector_store_batch_store_id_account_id_idx ON vector_store_batch (store_id, account_id);

CREATE POLICY tenant_isolation ON vector_store USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON vector_store_batch USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON vector_store_file USING (account_id = (SELECT current_setting('footnote.account_id', true)));
