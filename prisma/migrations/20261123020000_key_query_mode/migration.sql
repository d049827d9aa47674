-- Servers of the previous version can keep running: they don't read the column, and new keys get its default.
ALTER TABLE api_key ADD COLUMN query_mode text NOT NULL DEFAULT 'last';
ALTER TABLE api_key ADD CONSTRAINT api_key_query_mode_check CHECK (query_mode IN ('last', 'conversation'));
