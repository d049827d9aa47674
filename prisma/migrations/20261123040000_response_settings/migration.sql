-- What a stored response repeats of its request; null for an answer of chat completions. Servers of the previous version
-- can keep running: they neither read nor write the column.
ALTER TABLE stored_completion ADD COLUMN response_settings jsonb;
