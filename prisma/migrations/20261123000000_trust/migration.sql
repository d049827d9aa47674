-- What the console shows of one request besides its sums: stages, sources by id, verdict counts. No text.
ALTER TABLE "usage_record" ADD COLUMN "details" JSONB NOT NULL DEFAULT '{}';

-- As before, with the details.
CREATE OR REPLACE FUNCTION settle_requests(p_account text, p_items jsonb) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
    v_free bigint;
    v_item record;
    v_reserved bigint;
    v_charge bigint;
    v_charged bigint := 0;
    v_freed bigint := 0;
    v_done text[] := '{}';
    v_charges bigint[] := '{}';
BEGIN
    SELECT a.balance_micros - a.held_micros INTO v_free FROM account a WHERE a.id = p_account FOR NO KEY UPDATE;
    FOR v_item IN
        SELECT i.hold, i.cost, h.id IS NOT NULL AND u.id IS NULL AS is_due, h.status, h.amount_micros,
               u.cost_micros AS recorded
        FROM ROWS FROM (jsonb_to_recordset(p_items) AS (hold text, cost bigint)) WITH ORDINALITY
                 AS i (hold, cost, position)
             LEFT JOIN hold h ON h.id = i.hold AND h.account_id = p_account
             LEFT JOIN usage_record u ON u.id = i.hold
        ORDER BY i.position
    LOOP
        IF v_item.cost < 0 THEN
            RAISE EXCEPTION 'a request cannot cost less than nothing';
        END IF;
        IF NOT v_item.is_due OR v_item.hold = ANY (v_done) THEN
            RETURN NEXT v_item.recorded;
            CONTINUE;
        END IF;
        v_reserved := CASE WHEN v_item.status = 'open' THEN v_item.amount_micros ELSE 0 END;
        v_charge := least(v_item.cost, v_reserved + v_free);
        v_free := v_free + v_reserved - v_charge;
        v_freed := v_freed + v_reserved;
        v_charged := v_charged + v_charge;
        v_done := v_done || v_item.hold;
        v_charges := v_charges || v_charge;
        RETURN NEXT v_charge;
    END LOOP;
    IF v_done = '{}' THEN
        RETURN;
    END IF;
    UPDATE account SET balance_micros = balance_micros - v_charged, held_micros = held_micros - v_freed,
                       updated_at = now()
        WHERE id = p_account;
    -- Before the holds are closed: what is still open tells what each key held.
    UPDATE key_spend s SET spent_micros = s.spent_micros + k.charge, held_micros = s.held_micros - k.reserved
        FROM (SELECT h.key_id, date_trunc('month', h.created_at AT TIME ZONE 'UTC')::date AS month,
                     sum(d.charge) AS charge,
                     coalesce(sum(h.amount_micros) FILTER (WHERE h.status = 'open'), 0) AS reserved
                FROM unnest(v_done, v_charges) AS d (hold, charge) JOIN hold h ON h.id = d.hold
               GROUP BY 1, 2) k
        WHERE s.key_id = k.key_id AND s.month = k.month;
    WITH done AS (
        SELECT d.hold, d.charge, i.entry, i.usage
          FROM unnest(v_done, v_charges) AS d (hold, charge)
               JOIN (SELECT DISTINCT ON (r.hold) r.hold, r.entry, r.usage
                       FROM ROWS FROM (jsonb_to_recordset(p_items) AS (hold text, entry text, usage jsonb))
                            WITH ORDINALITY AS r (hold, entry, usage, position)
                      ORDER BY r.hold, r.position) i ON i.hold = d.hold
    ), closed AS (
        UPDATE hold h SET status = CASE WHEN d.charge > 0 THEN 'settled' ELSE 'released' END, closed_at = now()
          FROM done d WHERE h.id = d.hold
          RETURNING h.id, h.key_id
    ), entered AS (
        INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference)
        SELECT d.entry, p_account, 'usage', -d.charge, 'usage:' || d.hold FROM done d WHERE d.charge > 0
    )
    INSERT INTO usage_record (id, account_id, key_id, endpoint, model, kind, prompt_tokens, completion_tokens,
                              passages, cost_micros, rate, status, warning_codes, latency_ms, first_token_ms, details)
        SELECT d.hold, p_account, c.key_id, d.usage->>'endpoint', d.usage->>'model', d.usage->>'kind',
               (d.usage->>'promptTokens')::int, (d.usage->>'completionTokens')::int,
               (d.usage->>'passages')::int, d.charge, d.usage->'rate', (d.usage->>'status')::int,
               ARRAY (SELECT jsonb_array_elements_text(d.usage->'warningCodes')),
               (d.usage->>'latencyMs')::int, (d.usage->>'firstTokenMs')::int,
               coalesce(d.usage->'details', '{}')
        FROM done d JOIN closed c ON c.id = d.hold;
END $$;

-- An answer kept because its request said so, with the evidence it rested on as it stood then.
CREATE TABLE "stored_completion" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "person_id" TEXT,
    "knowledge_scopes" TEXT[],
    "model" TEXT NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "messages" JSONB NOT NULL,
    "response" JSONB NOT NULL,
    "evidence" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "stored_completion_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "stored_completion_account_id_id_idx" ON "stored_completion"("account_id", "id");
CREATE INDEX "stored_completion_request_id_idx" ON "stored_completion"("request_id");
CREATE INDEX "stored_completion_person_id_idx" ON "stored_completion"("person_id");
CREATE INDEX "stored_completion_created_at_idx" ON "stored_completion"("created_at");
ALTER TABLE "stored_completion" ADD CONSTRAINT "stored_completion_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "stored_completion" ADD CONSTRAINT "stored_completion_person_id_fkey"
    FOREIGN KEY ("person_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Evidence that can be changed afterwards is none: of a stored answer, its metadata alone may change.
CREATE FUNCTION refuse_changed_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (to_jsonb(NEW) - 'metadata') IS DISTINCT FROM (to_jsonb(OLD) - 'metadata') THEN
        RAISE EXCEPTION 'a stored answer and its evidence do not change';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "stored_completion_is_immutable" BEFORE UPDATE ON "stored_completion"
    FOR EACH ROW EXECUTE FUNCTION refuse_changed_evidence();

-- That a document was there, so that a link to its words can say that it was deleted. Nothing of it is kept.
CREATE TABLE "deleted_document" (
    "document_id" TEXT NOT NULL,
    "collection_id" TEXT NOT NULL,
    "account_id" TEXT,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "deleted_document_pkey" PRIMARY KEY ("document_id")
);
CREATE INDEX "deleted_document_collection_id_idx" ON "deleted_document"("collection_id");
CREATE INDEX "deleted_document_account_id_idx" ON "deleted_document"("account_id");
ALTER TABLE "deleted_document" ADD CONSTRAINT "deleted_document_collection_id_fkey"
    FOREIGN KEY ("collection_id") REFERENCES "collection"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "deleted_document" ADD CONSTRAINT "deleted_document_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The playground asks with keys of its own, which have no secret and cannot be sent.
ALTER TABLE "api_key" ADD COLUMN "purpose" TEXT NOT NULL DEFAULT 'api'
    CONSTRAINT "api_key_purpose_check" CHECK ("purpose" IN ('api', 'playground'));
