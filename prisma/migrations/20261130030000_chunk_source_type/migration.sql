-- Stop servers of the previous version first: they write these columns. Searches select documents by their own source type.
ALTER TABLE chunk DROP COLUMN source_type;
ALTER TABLE chunk_vector DROP COLUMN source_type;
