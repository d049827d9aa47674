-- Large files are stored in slices while they arrive, and uploads can come in parts. Servers of the previous version can't
-- read the large files that this one stores; everything else works.

ALTER TABLE document_upload ALTER COLUMN bytes DROP NOT NULL;
ALTER TABLE document_upload ADD COLUMN file_id text;
ALTER TABLE document_upload ADD CONSTRAINT document_upload_content CHECK (num_nonnulls(bytes, file_id) = 1);
CREATE UNIQUE INDEX document_upload_file_id_account_id_key ON document_upload (file_id, account_id);

CREATE TABLE upload (
    id text NOT NULL,
    account_id text NOT NULL,
    owner_id text,
    name text,
    purpose text,
    size_bytes integer NOT NULL,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed', 'cancelled')),
    answer jsonb,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    CONSTRAINT upload_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT upload_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
);
CREATE INDEX upload_account_id_idx ON upload (account_id);
CREATE INDEX upload_expires_at_idx ON upload (expires_at);

-- A slice belongs to an upload, and then to a document's file: it changes hands without being copied.
CREATE TABLE upload_slice (
    part_id text NOT NULL,
    account_id text NOT NULL,
    part_offset integer NOT NULL,
    upload_id text,
    file_id text,
    position integer,
    bytes bytea NOT NULL,
    size_bytes integer NOT NULL,
    part_hash bytea,
    part_number integer,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT upload_slice_pkey PRIMARY KEY (part_id, account_id, part_offset),
    CONSTRAINT upload_slice_owner CHECK (num_nonnulls(upload_id, file_id) = 1 AND (file_id IS NULL) = (position IS NULL)),
    CONSTRAINT upload_slice_upload_id_account_id_fkey FOREIGN KEY (upload_id, account_id)
        REFERENCES upload (id, account_id) ON DELETE CASCADE,
    CONSTRAINT upload_slice_file_id_account_id_fkey FOREIGN KEY (file_id, account_id)
        REFERENCES document_upload (file_id, account_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX upload_slice_file_id_account_id_position_key ON upload_slice (file_id, account_id, position);
CREATE INDEX upload_slice_upload_id_account_id_idx ON upload_slice (upload_id, account_id);
-- Most documents are compressed already.
ALTER TABLE upload_slice ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE POLICY tenant_isolation ON upload USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY tenant_isolation ON upload_slice USING (account_id = current_setting('footnote.account_id', true));
