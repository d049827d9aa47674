-- The account joins the primary and unique keys of what money, keys and usage write, and the references between
-- them, so that these tables can be distributed by account (docs/scaling.md#citus-by-account). Keys begin with the id, so
-- that look-ups by it alone find their index as before; only a ledger entry is never looked for without its account, and
-- has one index fewer.
--
-- Rebuilt, while nothing else reads or writes their tables: the primary keys of api_key, person, hold, ledger_entry,
-- usage_record, stored_completion, audit_event, audit_name and key_spend, and ledger_entry's index of references. An index
-- that stands already under the name it is given here is taken as it is: on large tables run these statements with
-- CREATE UNIQUE INDEX CONCURRENTLY first, and what is left takes no time. The references are checked by the next
-- migration, which locks out neither reads nor writes.
--
-- A server of before goes on answering requests beside this, but makes and rotates no key, asks nothing from the playground
-- and records no event in the audit log: what does these fails there until it is replaced.

-- In the order in which requests take them, so that hardly any waits for this while this waits for it.
LOCK TABLE account, key_secret, api_key, key_spend, hold, usage_record, ledger_entry, person, collection,
    stored_completion, audit_event, audit_name IN ACCESS EXCLUSIVE MODE;

CREATE UNIQUE INDEX IF NOT EXISTS "api_key_id_account_id_key" ON "api_key"("id", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "person_id_account_id_key" ON "person"("id", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "hold_id_account_id_key" ON "hold"("id", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "ledger_entry_account_id_id_key" ON "ledger_entry"("account_id", "id");
CREATE UNIQUE INDEX IF NOT EXISTS "ledger_entry_reference_account_id_key" ON "ledger_entry"("reference", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "usage_record_id_account_id_key" ON "usage_record"("id", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "stored_completion_id_account_id_key" ON "stored_completion"("id", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "audit_event_id_account_id_key" ON "audit_event"("id", "account_id");
CREATE UNIQUE INDEX IF NOT EXISTS "audit_name_id_account_id_key" ON "audit_name"("id", "account_id");

-- What knew its account only through its key knows it itself.
ALTER TABLE "key_secret" ADD COLUMN "account_id" TEXT;
ALTER TABLE "key_spend" ADD COLUMN "account_id" TEXT;
UPDATE "key_secret" s SET "account_id" = k."account_id" FROM "api_key" k WHERE k."id" = s."key_id";
UPDATE "key_spend" s SET "account_id" = k."account_id" FROM "api_key" k WHERE k."id" = s."key_id";

-- References go before the keys that they lead to.
ALTER TABLE "key_secret" DROP CONSTRAINT "key_secret_key_id_fkey", ALTER COLUMN "account_id" SET NOT NULL;
ALTER TABLE "key_spend" DROP CONSTRAINT "key_spend_key_id_fkey", ALTER COLUMN "account_id" SET NOT NULL;
ALTER TABLE "api_key" DROP CONSTRAINT "api_key_person_id_fkey", DROP CONSTRAINT "api_key_account_id_fkey";
ALTER TABLE "collection" DROP CONSTRAINT "collection_person_id_fkey";
ALTER TABLE "stored_completion" DROP CONSTRAINT "stored_completion_person_id_fkey",
    DROP CONSTRAINT "stored_completion_account_id_fkey";
ALTER TABLE "person" DROP CONSTRAINT "person_account_id_fkey";
ALTER TABLE "hold" DROP CONSTRAINT "hold_account_id_fkey";
ALTER TABLE "ledger_entry" DROP CONSTRAINT "ledger_entry_account_id_fkey";
ALTER TABLE "usage_record" DROP CONSTRAINT "usage_record_account_id_fkey";
ALTER TABLE "audit_event" DROP CONSTRAINT "audit_event_account_id_fkey";
ALTER TABLE "audit_name" DROP CONSTRAINT "audit_name_account_id_fkey";

ALTER TABLE "api_key" DROP CONSTRAINT "api_key_pkey",
    ADD CONSTRAINT "api_key_pkey" PRIMARY KEY USING INDEX "api_key_id_account_id_key";
ALTER TABLE "person" DROP CONSTRAINT "person_pkey",
    ADD CONSTRAINT "person_pkey" PRIMARY KEY USING INDEX "person_id_account_id_key";
ALTER TABLE "key_spend" DROP CONSTRAINT "key_spend_pkey",
    ADD CONSTRAINT "key_spend_pkey" PRIMARY KEY ("key_id", "month", "account_id");
ALTER TABLE "hold" DROP CONSTRAINT "hold_pkey",
    ADD CONSTRAINT "hold_pkey" PRIMARY KEY USING INDEX "hold_id_account_id_key";
ALTER TABLE "ledger_entry" DROP CONSTRAINT "ledger_entry_pkey",
    ADD CONSTRAINT "ledger_entry_pkey" PRIMARY KEY USING INDEX "ledger_entry_account_id_id_key";
DROP INDEX "ledger_entry_account_id_id_idx", "ledger_entry_reference_key";
ALTER TABLE "usage_record" DROP CONSTRAINT "usage_record_pkey",
    ADD CONSTRAINT "usage_record_pkey" PRIMARY KEY USING INDEX "usage_record_id_account_id_key";
ALTER TABLE "stored_completion" DROP CONSTRAINT "stored_completion_pkey",
    ADD CONSTRAINT "stored_completion_pkey" PRIMARY KEY USING INDEX "stored_completion_id_account_id_key";
ALTER TABLE "audit_event" DROP CONSTRAINT "audit_event_pkey",
    ADD CONSTRAINT "audit_event_pkey" PRIMARY KEY USING INDEX "audit_event_id_account_id_key";
ALTER TABLE "audit_name" DROP CONSTRAINT "audit_name_pkey",
    ADD CONSTRAINT "audit_name_pkey" PRIMARY KEY USING INDEX "audit_name_id_account_id_key";

-- An account's id never changes, and a column that rows are distributed by could not follow it.
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_person_id_account_id_fkey"
    FOREIGN KEY ("person_id", "account_id") REFERENCES "person"("id", "account_id")
    ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "key_secret" ADD CONSTRAINT "key_secret_key_id_account_id_fkey"
    FOREIGN KEY ("key_id", "account_id") REFERENCES "api_key"("id", "account_id")
    ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "key_spend" ADD CONSTRAINT "key_spend_key_id_account_id_fkey"
    FOREIGN KEY ("key_id", "account_id") REFERENCES "api_key"("id", "account_id")
    ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "person" ADD CONSTRAINT "person_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "collection" ADD CONSTRAINT "collection_person_id_account_id_fkey"
    FOREIGN KEY ("person_id", "account_id") REFERENCES "person"("id", "account_id")
    ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "hold" ADD CONSTRAINT "hold_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "usage_record" ADD CONSTRAINT "usage_record_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "stored_completion" ADD CONSTRAINT "stored_completion_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "stored_completion" ADD CONSTRAINT "stored_completion_person_id_account_id_fkey"
    FOREIGN KEY ("person_id", "account_id") REFERENCES "person"("id", "account_id")
    ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "audit_event" ADD CONSTRAINT "audit_event_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION NOT VALID;
ALTER TABLE "audit_name" ADD CONSTRAINT "audit_name_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

ALTER POLICY own_account ON key_secret USING (account_id = current_setting('footnote.account_id', true));
ALTER POLICY own_account ON key_spend USING (account_id = current_setting('footnote.account_id', true));

-- As before, with the account in what is counted for a key. Its statements keep their plans: with the account in the key,
-- a plan for one request alone is cheap enough that each call would make its own, which took longer than all the rest.
CREATE OR REPLACE FUNCTION admit_requests(
    p_account text, p_holds text[], p_keys text[], p_amounts bigint[], p_lease_seconds integer[]
) RETURNS TABLE (outcome text, balance bigint, remaining bigint) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    -- Rounded as a hold's time is, so that both are of one month.
    v_month date := date_trunc('month', now()::timestamptz(3) AT TIME ZONE 'UTC')::date;
    v_held bigint;
    v_keys text[];
    v_lefts bigint[];
    v_added bigint[];
    v_admitted integer[] := '{}';
    v_sum bigint := 0;
    v_key integer;
BEGIN
    SELECT a.balance_micros, a.held_micros INTO balance, v_held
        FROM account a WHERE a.id = p_account FOR NO KEY UPDATE;
    SELECT array_agg(k.id), array_agg(k.monthly_budget_micros - coalesce(s.spent_micros + s.held_micros, 0)),
           array_agg(0::bigint)
        INTO v_keys, v_lefts, v_added
        FROM api_key k LEFT JOIN key_spend s
               ON s.key_id = k.id AND s.month = v_month AND s.account_id = p_account
        WHERE k.id = ANY (p_keys) AND k.account_id = p_account
          AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp());
    FOR v_index IN 1 .. coalesce(array_length(p_holds, 1), 0) LOOP
        v_key := array_position(v_keys, p_keys[v_index]);
        remaining := balance - v_held - v_sum;
        IF v_key IS NULL THEN
            outcome := 'invalid_api_key';
        ELSIF balance < p_amounts[v_index] THEN
            outcome := 'insufficient_balance';
        ELSIF remaining < p_amounts[v_index] THEN
            outcome := 'balance_reserved';
        ELSIF v_lefts[v_key] - v_added[v_key] < p_amounts[v_index] THEN
            outcome := 'key_budget_exceeded';
            remaining := greatest(v_lefts[v_key] - v_added[v_key], 0);
        ELSE
            outcome := 'admitted';
            v_sum := v_sum + p_amounts[v_index];
            v_added[v_key] := v_added[v_key] + p_amounts[v_index];
            v_admitted := v_admitted || v_index;
        END IF;
        RETURN NEXT;
    END LOOP;
    IF v_admitted = '{}' THEN
        RETURN;
    END IF;
    UPDATE account SET held_micros = held_micros + v_sum, updated_at = now() WHERE id = p_account;
    INSERT INTO key_spend (key_id, month, account_id, held_micros)
        SELECT u.key, v_month, p_account, u.added FROM unnest(v_keys, v_added) AS u (key, added) WHERE u.added > 0
        ON CONFLICT (key_id, month, account_id) DO UPDATE
            SET held_micros = key_spend.held_micros + excluded.held_micros;
    INSERT INTO hold (id, account_id, key_id, amount_micros, status, lease_expires_at)
        SELECT p_holds[i], p_account, p_keys[i], p_amounts[i], 'open',
               now() + make_interval(secs => p_lease_seconds[i])
        FROM unnest(v_admitted) AS i;
END $$;

-- As before. A reference stands once in an account, and what it names is of one account: a request's hold, a payment
-- (whose own key is unique over all accounts), or the account itself.
CREATE OR REPLACE FUNCTION credit_account(
    p_entry text, p_account text, p_kind text, p_amount bigint, p_reference text, p_description text
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM account a WHERE a.id = p_account FOR NO KEY UPDATE;
    INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference, description)
        VALUES (p_entry, p_account, p_kind, p_amount, p_reference, p_description)
        ON CONFLICT (reference, account_id) DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE account SET balance_micros = balance_micros + p_amount, updated_at = now() WHERE id = p_account;
    RETURN true;
END $$;

-- As before, with that key.
CREATE OR REPLACE FUNCTION converge_payment(
    p_checkout text, p_facts jsonb, p_entries text[],
    OUT status text, OUT credited bigint, OUT debited bigint, OUT owed bigint
) LANGUAGE plpgsql AS $$
DECLARE
    v_account text;
    v_payment jsonb := nullif(p_facts->'payment', 'null');
    v_event jsonb := nullif(p_facts->'event', 'null');
    v_reference text := v_payment->>'reference';
BEGIN
    credited := 0;
    SELECT c.account_id INTO v_account FROM checkout_session c
        WHERE c.id = p_checkout AND c.account_id = p_facts->>'account';
    PERFORM 1 FROM account a WHERE a.id = v_account FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'checkout % is not of account %', p_checkout, p_facts->>'account';
    END IF;
    UPDATE checkout_session c
        SET status = CASE WHEN checkout_rank(p_facts->>'status') > checkout_rank(c.status)
                          THEN p_facts->>'status' ELSE c.status END,
            provider_id = coalesce(c.provider_id, p_facts->>'provider_id'),
            payment_reference = coalesce(c.payment_reference, v_reference),
            expires_at = (p_facts->>'expires_at')::timestamptz, updated_at = now()
        WHERE c.id = p_checkout RETURNING c.status INTO converge_payment.status;
    IF v_event IS NOT NULL THEN
        INSERT INTO payment_event (id, type, checkout_session_id)
            VALUES (v_event->>'id', v_event->>'type', p_checkout) ON CONFLICT (id) DO NOTHING;
    END IF;
    IF v_payment IS NOT NULL THEN
        INSERT INTO payment (reference, account_id, checkout_session_id, amount_micros)
            VALUES (v_reference, v_account, p_checkout, (v_payment->>'amount_micros')::bigint)
            ON CONFLICT (reference) DO NOTHING;
        INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference, description)
            SELECT p_entries[1], p.account_id, 'top_up', p.amount_micros, 'top_up:' || p.reference, 'Funds added'
              FROM payment p WHERE p.reference = v_reference AND p.account_id = v_account
            ON CONFLICT (reference, account_id) DO NOTHING
            RETURNING amount_micros INTO credited;
        credited := coalesce(credited, 0);
        UPDATE account SET balance_micros = balance_micros + credited, updated_at = now()
            WHERE id = v_account AND credited > 0;
        INSERT INTO payment_reversal (id, payment_reference, kind, amount_micros, state, version, is_taken)
            SELECT r.id, p.reference, r.kind, r.amount_micros, r.state, r.version, r.is_taken
              FROM jsonb_to_recordset(v_payment->'reversals') AS r (
                       id text, kind text, amount_micros bigint, state text, version integer, is_taken boolean)
                   JOIN payment p ON p.reference = v_reference AND p.account_id = v_account
            ON CONFLICT (id) DO UPDATE
                SET state = excluded.state, version = excluded.version, is_taken = excluded.is_taken,
                    amount_micros = excluded.amount_micros
                WHERE excluded.version > payment_reversal.version;
    END IF;
    debited := collect_locked(v_account, p_entries[2:]);
    SELECT coalesce(sum(d.target - d.reversed_micros), 0) INTO owed
        FROM payment_due d WHERE d.account_id = v_account AND d.target > d.reversed_micros;
END $$;
