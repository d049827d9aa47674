-- The bytes of a stored answer's messages, response and evidence, which count toward its account's limit.
ALTER TABLE stored_completion ADD COLUMN bytes integer NOT NULL DEFAULT 0;

ALTER TABLE stored_completion DISABLE TRIGGER stored_completion_immutable;
UPDATE stored_completion
   SET bytes = octet_length(messages::text) + octet_length(response::text) + octet_length(evidence::text);
ALTER TABLE stored_completion ENABLE TRIGGER stored_completion_immutable;

-- Adding up an account's bytes reads only this index.
CREATE INDEX stored_completion_account_id_bytes_idx ON stored_completion (account_id, bytes);
