-- What Prisma's schema cannot say: the last wall against a negative balance, and the verbs that move
-- money. Each function locks the account row first and computes in a later statement, so that any
-- number of processes see one order of events.

ALTER TABLE account
    ADD CONSTRAINT account_balance_covers_holds
    CHECK (balance_micros >= 0 AND held_micros >= 0 AND held_micros <= balance_micros);
ALTER TABLE hold ADD CONSTRAINT hold_amount_not_negative CHECK (amount_micros >= 0);
ALTER TABLE hold ADD CONSTRAINT hold_status_known CHECK (status IN ('open', 'settled', 'released'));
ALTER TABLE ledger_entry
    ADD CONSTRAINT ledger_entry_kind_known
    CHECK (kind IN ('top_up', 'usage', 'grant', 'refund', 'adjustment'));

CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'ledger entries are never changed or removed';
END $$;
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry
    FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();

-- Places a hold of p_amount micro-dollars, or says why not.
CREATE FUNCTION admit_request(
    p_hold text, p_account text, p_key text, p_amount bigint, p_lease_seconds integer,
    OUT outcome text, OUT balance bigint, OUT available bigint
) LANGUAGE plpgsql AS $$
DECLARE
    v_month date := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
    v_budget bigint;
    v_used bigint;
BEGIN
    SELECT a.balance_micros, a.balance_micros - a.held_micros INTO balance, available
        FROM account a WHERE a.id = p_account FOR UPDATE;
    IF NOT FOUND OR balance < p_amount THEN
        outcome := 'insufficient_balance';
        RETURN;
    ELSIF available < p_amount THEN
        outcome := 'balance_reserved';
        RETURN;
    END IF;
    SELECT k.monthly_budget_micros INTO v_budget FROM api_key k WHERE k.id = p_key;
    SELECT s.spent_micros + s.held_micros INTO v_used
        FROM key_spend s WHERE s.key_id = p_key AND s.month = v_month;
    IF v_budget IS NOT NULL AND coalesce(v_used, 0) + p_amount > v_budget THEN
        outcome := 'key_budget_exceeded';
        RETURN;
    END IF;
    UPDATE account SET held_micros = held_micros + p_amount, updated_at = now() WHERE id = p_account;
    INSERT INTO key_spend (key_id, month, held_micros) VALUES (p_key, v_month, p_amount)
        ON CONFLICT (key_id, month) DO UPDATE SET held_micros = key_spend.held_micros + p_amount;
    INSERT INTO hold (id, account_id, key_id, amount_micros, status, lease_expires_at)
        VALUES (p_hold, p_account, p_key, p_amount, 'open', now() + make_interval(secs => p_lease_seconds));
    outcome := 'admitted';
    available := available - p_amount;
END $$;

-- Charges what a request cost and records its usage, once: a request that has its usage record is left
-- alone and gives null. A hold that was swept because its lease ended reserves nothing any more, but the
-- request is still charged, as far as the free balance goes. Returns the micro-dollars charged, which
-- never exceed what the hold and the free balance cover.
CREATE FUNCTION settle_request(p_hold text, p_cost bigint, p_entry text, p_usage jsonb)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v_account text;
    v_hold hold%ROWTYPE;
    v_reserved bigint := 0;
    v_free bigint;
    v_charge bigint;
    v_month date;
BEGIN
    IF p_cost < 0 THEN
        RAISE EXCEPTION 'a request cannot cost less than nothing';
    END IF;
    SELECT h.account_id INTO v_account FROM hold h WHERE h.id = p_hold;
    SELECT a.balance_micros - a.held_micros INTO v_free
        FROM account a WHERE a.id = v_account FOR UPDATE;
    SELECT * INTO v_hold FROM hold h WHERE h.id = p_hold FOR UPDATE;
    IF NOT FOUND OR EXISTS (SELECT 1 FROM usage_record u WHERE u.id = p_hold) THEN
        RETURN NULL;
    END IF;
    IF v_hold.status = 'open' THEN
        v_reserved := v_hold.amount_micros;
    END IF;
    v_charge := least(p_cost, v_reserved + v_free);
    v_month := date_trunc('month', v_hold.created_at AT TIME ZONE 'UTC')::date;
    UPDATE hold SET status = CASE WHEN v_charge > 0 THEN 'settled' ELSE 'released' END, closed_at = now()
        WHERE id = p_hold;
    UPDATE account SET balance_micros = balance_micros - v_charge,
                       held_micros = held_micros - v_reserved, updated_at = now()
        WHERE id = v_account;
    UPDATE key_spend SET spent_micros = spent_micros + v_charge, held_micros = held_micros - v_reserved
        WHERE key_id = v_hold.key_id AND month = v_month;
    IF v_charge > 0 THEN
        INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference)
            VALUES (p_entry, v_account, 'usage', -v_charge, 'usage:' || p_hold);
    END IF;
    INSERT INTO usage_record (id, account_id, key_id, endpoint, model, kind, prompt_tokens,
                              completion_tokens, passages, cost_micros, rate, status, warning_codes,
                              latency_ms, first_token_ms)
        VALUES (p_hold, v_account, v_hold.key_id, p_usage->>'endpoint', p_usage->>'model', p_usage->>'kind',
                (p_usage->>'promptTokens')::int, (p_usage->>'completionTokens')::int,
                (p_usage->>'passages')::int, v_charge, p_usage->'rate', (p_usage->>'status')::int,
                ARRAY(SELECT jsonb_array_elements_text(p_usage->'warningCodes')),
                (p_usage->>'latencyMs')::int, (p_usage->>'firstTokenMs')::int);
    RETURN v_charge;
END $$;

-- Gives back what dead processes held. Returns how many holds it released.
CREATE FUNCTION release_expired_holds() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    v_account text;
    v_count integer := 0;
    v_row record;
BEGIN
    FOR v_account IN
        SELECT DISTINCT h.account_id FROM hold h
        WHERE h.status = 'open' AND h.lease_expires_at < now() ORDER BY h.account_id
    LOOP
        PERFORM 1 FROM account a WHERE a.id = v_account FOR UPDATE;
        FOR v_row IN
            UPDATE hold SET status = 'released', closed_at = now()
            WHERE account_id = v_account AND status = 'open' AND lease_expires_at < now()
            RETURNING key_id, amount_micros, created_at
        LOOP
            UPDATE account SET held_micros = held_micros - v_row.amount_micros, updated_at = now()
                WHERE id = v_account;
            UPDATE key_spend SET held_micros = held_micros - v_row.amount_micros
                WHERE key_id = v_row.key_id
                  AND month = date_trunc('month', v_row.created_at AT TIME ZONE 'UTC')::date;
            v_count := v_count + 1;
        END LOOP;
    END LOOP;
    RETURN v_count;
END $$;

-- Adds money once per reference. Returns whether this call added it.
CREATE FUNCTION credit_account(
    p_entry text, p_account text, p_kind text, p_amount bigint, p_reference text, p_description text
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM account a WHERE a.id = p_account FOR UPDATE;
    INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference, description)
        VALUES (p_entry, p_account, p_kind, p_amount, p_reference, p_description)
        ON CONFLICT (reference) DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE account SET balance_micros = balance_micros + p_amount, updated_at = now() WHERE id = p_account;
    RETURN true;
END $$;
