-- The tokens that the current attempt has sent to the embedding model: what a canceled job pays for.
ALTER TABLE job ADD COLUMN embedded_tokens integer NOT NULL DEFAULT 0;
