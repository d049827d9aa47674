-- The key that created a key through the API; null for keys of the console. Servers of the previous version can keep running: they create none.
ALTER TABLE api_key ADD COLUMN created_by_key_id text;
ALTER TABLE api_key ADD CONSTRAINT api_key_created_by_key_id_account_id_fkey FOREIGN KEY (created_by_key_id, account_id)
    REFERENCES api_key (id, account_id) NOT VALID;
ALTER TABLE api_key VALIDATE CONSTRAINT api_key_created_by_key_id_account_id_fkey;
CREATE INDEX api_key_created_by_key_id_account_id_idx ON api_key (created_by_key_id, account_id);
