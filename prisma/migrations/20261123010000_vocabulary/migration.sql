-- Servers of the previous version can keep running. They don't fill the table: the background reindex adds the words of
-- chunks from their lexicon.

-- The words of a collection's chunks, from which misspelled words of queries are corrected: lower case, without accents,
-- unstemmed. A word is deleted when no chunk has its term anymore. term_key is the term's key in document_frequency.
-- deletion_keys are the word's start without one or two of its letters, hashed with the collection, so that a word of one
-- tenant can't match another's.
CREATE TABLE vocabulary (
    collection_id text NOT NULL,
    term_key      integer NOT NULL,
    word          text NOT NULL,
    account_id    text NOT NULL,
    deletion_keys integer[],

    CONSTRAINT vocabulary_pkey PRIMARY KEY (collection_id, term_key, word, account_id),
    CONSTRAINT vocabulary_collection_id_account_id_fkey FOREIGN KEY (collection_id, account_id)
        REFERENCES collection (id, account_id) ON DELETE CASCADE ON UPDATE NO ACTION
);
-- A lookup also scans the pending list, so it stays short.
CREATE INDEX vocabulary_deletion_keys_idx ON vocabulary USING gin (deletion_keys) WITH (gin_pending_list_limit = 256);

CREATE POLICY tenant_isolation ON vocabulary USING (account_id = current_setting('footnote.account_id', true));
CREATE POLICY public_knowledge ON vocabulary FOR SELECT USING (account_id = 'acct_public');
