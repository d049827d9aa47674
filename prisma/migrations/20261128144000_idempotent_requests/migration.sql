-- Answers of requests with an Idempotency-Key, for a day. Servers of the previous version can keep running: they ignore the header.
CREATE TABLE idempotent_request (
    account_id      text NOT NULL,
    key_id          text NOT NULL,
    idempotency_key text NOT NULL,
    person_id       text,
    request_hash    text NOT NULL,
    -- The request that runs, or ran. Whoever finds its lease expired takes over.
    request_id      text NOT NULL,
    lease_until     timestamptz(3) NOT NULL,
    -- The body of the response; null while the request runs.
    answer          text,
    cost_usd        text,
    bytes           integer NOT NULL DEFAULT 0,
    created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT idempotent_request_pkey PRIMARY KEY (account_id, key_id, idempotency_key),
    CONSTRAINT idempotent_request_account_id_fkey FOREIGN KEY (account_id)
        REFERENCES account (id) ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT idempotent_request_key_id_account_id_fkey FOREIGN KEY (key_id, account_id)
        REFERENCES api_key (id, account_id) ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT idempotent_request_person_id_account_id_fkey FOREIGN KEY (person_id, account_id)
        REFERENCES person (id, account_id) ON DELETE CASCADE ON UPDATE NO ACTION
);
-- Adding up an account's bytes reads only this index.
CREATE INDEX idempotent_request_account_id_bytes_idx ON idempotent_request (account_id, bytes);
CREATE INDEX idempotent_request_created_at_idx ON idempotent_request (created_at);
CREATE INDEX idempotent_request_person_id_idx ON idempotent_request (person_id);
CREATE INDEX idempotent_request_key_id_idx ON idempotent_request (key_id);
CREATE POLICY tenant_isolation ON idempotent_request USING (account_id = (SELECT current_setting('footnote.account_id', true)));
