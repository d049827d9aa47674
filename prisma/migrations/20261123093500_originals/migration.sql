-- Original files stay after processing, and each page says where its words are. Servers of the previous version can't accept
-- uploads while this one runs: they don't name the new column in ON CONFLICT. Everything else works.

-- An upload becomes the original in place, so that its bytes are written once. A new version of a document waits beside it.
ALTER TABLE document_upload ADD COLUMN is_original boolean NOT NULL DEFAULT false;
ALTER TABLE document_upload ADD COLUMN size_bytes integer NOT NULL DEFAULT 0;
UPDATE document_upload SET size_bytes = octet_length(bytes);
ALTER TABLE document_upload DROP CONSTRAINT document_upload_pkey;
ALTER TABLE document_upload ADD CONSTRAINT document_upload_pkey PRIMARY KEY (document_id, account_id, is_original);

-- Adding up an account's bytes reads only this index.
CREATE INDEX document_upload_account_id_size_bytes_idx ON document_upload (account_id, size_bytes);

-- False: originals are deleted once they are processed.
ALTER TABLE account ADD COLUMN keep_originals boolean NOT NULL DEFAULT true;

-- Where the words of a page are, by their range in the document's text. lib/documents/page-boxes.ts encodes the boxes.
CREATE TABLE document_page (
    document_id text NOT NULL,
    account_id text NOT NULL,
    page integer NOT NULL,
    boxes bytea NOT NULL,
    CONSTRAINT document_page_pkey PRIMARY KEY (document_id, account_id, page),
    CONSTRAINT document_page_document_id_account_id_fkey FOREIGN KEY (document_id, account_id)
        REFERENCES document (id, account_id) ON DELETE CASCADE
);
-- The boxes are deltas already, which don't compress.
ALTER TABLE document_page ALTER COLUMN boxes SET STORAGE EXTERNAL;

CREATE POLICY tenant_isolation ON document_page USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY public_knowledge ON document_page FOR SELECT USING (account_id = 'acct_public');
