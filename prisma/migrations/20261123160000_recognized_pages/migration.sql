-- Recognized pages of an open job, so that a job whose worker dies goes on where it was. Servers of the previous version can
-- keep running: they begin such a job anew.
CREATE TABLE recognized_page (
    job_id text NOT NULL,
    account_id text NOT NULL,
    page integer NOT NULL CHECK (page > 0),
    content bytea NOT NULL,
    model text,
    cost_micros bigint NOT NULL CHECK (cost_micros >= 0),
    CONSTRAINT recognized_page_pkey PRIMARY KEY (job_id, account_id, page),
    CONSTRAINT recognized_page_job_id_account_id_fkey FOREIGN KEY (job_id, account_id)
        REFERENCES job (id, account_id) ON DELETE CASCADE
);

CREATE POLICY tenant_isolation ON recognized_page USING (account_id = current_setting('footnote.account_id', true));
