-- Links by which members show a stored answer, or one quote of a document, to people without a sign-in. The link itself is
-- computed from the id, so this table doesn't hold what opens it.
ALTER TABLE account ADD COLUMN sharing_enabled boolean NOT NULL DEFAULT false;

CREATE TABLE shared_link (
    id            text NOT NULL,
    account_id    text NOT NULL,
    -- Who created it: the link shows what this member may read, and ends with their membership.
    member_id     text NOT NULL,
    -- The request of a stored answer, or else a document's quote.
    request_id    text,
    document_id   text,
    quote_ref     text,
    created_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Null: until it is revoked.
    expires_at    timestamptz(3),

    CONSTRAINT shared_link_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT shared_link_account_id_fkey FOREIGN KEY (account_id)
        REFERENCES account (id) ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT shared_link_member_id_fkey FOREIGN KEY (member_id)
        REFERENCES member (id) ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT shared_link_has_one_target CHECK (
        (request_id IS NOT NULL) = (document_id IS NULL) AND (document_id IS NULL) = (quote_ref IS NULL))
);
CREATE INDEX shared_link_account_id_id_idx ON shared_link (account_id, id);
CREATE INDEX shared_link_member_id_idx ON shared_link (member_id);
CREATE POLICY tenant_isolation ON shared_link USING (account_id = current_setting('footnote.account_id', true));
