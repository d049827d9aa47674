-- Presets: a model with `citations` defaults, listed as `model:preset`. Servers of the previous version can keep running:
-- they don't know such models.
CREATE TABLE preset (
    id                   text NOT NULL,
    account_id           text NOT NULL,
    name                 text NOT NULL,
    model                text NOT NULL,
    citations            jsonb NOT NULL,
    created_by_member_id text,
    -- Without a foreign key: a key's row outlives its revocation.
    created_by_key_id    text,
    created_at           timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at           timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT preset_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT preset_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT preset_created_by_member_id_fkey FOREIGN KEY (created_by_member_id)
        REFERENCES member (id) ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX preset_account_id_model_name_key ON preset (account_id, model, name);
CREATE INDEX preset_account_id_id_idx ON preset (account_id, id);
CREATE INDEX preset_created_by_member_id_idx ON preset (created_by_member_id);
CREATE POLICY tenant_isolation ON preset USING (account_id = current_setting('footnote.account_id', true));
