-- Until when an answer can be referred to that nobody asked to store; null for stored ones. Servers of the previous version can keep
-- running: they don't write the column, and would list such an answer for the hour that it exists.
ALTER TABLE stored_completion ADD COLUMN expires_at timestamptz(3);
CREATE INDEX stored_completion_expires_at_idx ON stored_completion (expires_at) WHERE expires_at IS NOT NULL;

-- Adding up an account's bytes of either kind reads only this index.
CREATE INDEX stored_completion_account_id_expires_at_bytes_idx ON stored_completion (account_id, expires_at, bytes);
DROP INDEX stored_completion_account_id_bytes_idx;
