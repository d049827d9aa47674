-- Counts change only under the lock of their collection's row, so that row is there; asking for it again for each of
-- some thousand counts was half of what counting a batch cost. They go when it goes, as they did.
ALTER TABLE "term_frequency" DROP CONSTRAINT "term_frequency_collection_id_fkey";

CREATE FUNCTION drop_term_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM term_frequency WHERE collection_id = OLD.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER collection_drop_term_counts AFTER DELETE ON "collection"
    FOR EACH ROW EXECUTE FUNCTION drop_term_counts();
