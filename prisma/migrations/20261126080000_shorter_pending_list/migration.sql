-- Servers of the previous version can keep running.
--
-- A search reads the whole pending list once per condition on term keys. With the default of 4 MB, about 2,300 passages just
-- uploaded made it several times slower. A shorter list adds about 0.04 ms to the storing of a passage.
ALTER INDEX chunk_term_keys_idx SET (gin_pending_list_limit = 1024);
