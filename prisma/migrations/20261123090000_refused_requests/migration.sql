-- Requests of a known key that failed before any work began, so without a usage record and without a charge. Sampled per
-- key and account, and deleted sooner than usage records.
CREATE TABLE refused_request (
    id         text NOT NULL,
    account_id text NOT NULL,
    key_id     text NOT NULL,
    endpoint   text NOT NULL,
    model      text,
    status     integer NOT NULL,
    code       text NOT NULL,
    -- As the caller saw it.
    message    text NOT NULL,
    param      text,
    latency_ms integer NOT NULL,
    -- How many refusals of this key came before this one without being recorded.
    skipped    integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT refused_request_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT refused_request_account_id_fkey FOREIGN KEY (account_id)
        REFERENCES account (id) ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE INDEX refused_request_account_id_created_at_id_idx ON refused_request (account_id, created_at, id);
CREATE INDEX refused_request_created_at_idx ON refused_request (created_at);
CREATE POLICY tenant_isolation ON refused_request USING (account_id = current_setting('footnote.account_id', true));
