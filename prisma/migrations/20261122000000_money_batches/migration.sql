-- Requests of one account that arrive together are admitted, and settled, by one statement, so that they
-- do not queue behind their account's row one by one. As before, each function locks that row first and
-- computes in later statements; whatever changes holds or spending of an account's keys does so under it.
-- The lock excludes each other of its kind, and not the rows that only refer to the account: those of an
-- upload under way would keep every request waiting.

DROP FUNCTION admit_request(text, text, text, bigint, integer);

-- Places holds for requests of one account, in their order, each only when its key is usable and balance and
-- the key's budget cover it; one row for each, in the same order. `remaining` is what a request that is
-- refused could have had: of the balance, or of the budget when that is what refused it.
CREATE FUNCTION admit_requests(
    p_account text, p_holds text[], p_keys text[], p_amounts bigint[], p_lease_seconds integer[]
) RETURNS TABLE (outcome text, balance bigint, remaining bigint) LANGUAGE plpgsql AS $$
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
        FROM api_key k LEFT JOIN key_spend s ON s.key_id = k.id AND s.month = v_month
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
    INSERT INTO key_spend (key_id, month, held_micros)
        SELECT u.key, v_month, u.added FROM unnest(v_keys, v_added) AS u (key, added) WHERE u.added > 0
        ON CONFLICT (key_id, month) DO UPDATE SET held_micros = key_spend.held_micros + excluded.held_micros;
    INSERT INTO hold (id, account_id, key_id, amount_micros, status, lease_expires_at)
        SELECT p_holds[i], p_account, p_keys[i], p_amounts[i], 'open',
               now() + make_interval(secs => p_lease_seconds[i])
        FROM unnest(v_admitted) AS i;
END $$;

-- Charges what requests of one account cost and records their usage, each once: one that has its usage
-- record is left alone and tells what that says, and one that appears again in the batch gives null. A hold that was swept because its lease ended reserves
-- nothing any more, but the request is still charged, as far as the free balance goes. Gives for each, in
-- their order, the micro-dollars charged, which never exceed what hold and free balance cover.
CREATE FUNCTION settle_requests(p_account text, p_items jsonb) RETURNS SETOF bigint LANGUAGE plpgsql AS $$
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
                              passages, cost_micros, rate, status, warning_codes, latency_ms, first_token_ms)
        SELECT d.hold, p_account, c.key_id, d.usage->>'endpoint', d.usage->>'model', d.usage->>'kind',
               (d.usage->>'promptTokens')::int, (d.usage->>'completionTokens')::int,
               (d.usage->>'passages')::int, d.charge, d.usage->'rate', (d.usage->>'status')::int,
               ARRAY (SELECT jsonb_array_elements_text(d.usage->'warningCodes')),
               (d.usage->>'latencyMs')::int, (d.usage->>'firstTokenMs')::int
        FROM done d JOIN closed c ON c.id = d.hold;
END $$;

-- One settlement, for a transaction that knows only the hold.
CREATE OR REPLACE FUNCTION settle_request(p_hold text, p_cost bigint, p_entry text, p_usage jsonb)
RETURNS bigint LANGUAGE sql AS $$
    SELECT s.charge
      FROM hold h, settle_requests(h.account_id, jsonb_build_array(jsonb_build_object(
               'hold', p_hold, 'cost', p_cost, 'entry', p_entry, 'usage', p_usage))) AS s (charge)
     WHERE h.id = p_hold;
$$;

-- As before, but a hold that is large enough is told without waiting for the account's row.
CREATE OR REPLACE FUNCTION enlarge_hold(p_hold text, p_amount bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    v_hold hold%ROWTYPE;
    v_free bigint;
    v_more bigint;
    v_month date;
    v_budget bigint;
    v_used bigint;
BEGIN
    SELECT * INTO v_hold FROM hold h WHERE h.id = p_hold AND h.status = 'open';
    IF NOT FOUND OR v_hold.amount_micros >= p_amount THEN
        RETURN 'enlarged';
    END IF;
    SELECT a.balance_micros - a.held_micros INTO v_free
        FROM account a WHERE a.id = v_hold.account_id FOR NO KEY UPDATE;
    SELECT * INTO v_hold FROM hold h WHERE h.id = p_hold AND h.status = 'open' FOR UPDATE;
    IF NOT FOUND OR v_hold.amount_micros >= p_amount THEN
        RETURN 'enlarged';
    END IF;
    v_more := p_amount - v_hold.amount_micros;
    IF v_free < v_more THEN
        RETURN 'insufficient_balance';
    END IF;
    v_month := date_trunc('month', v_hold.created_at AT TIME ZONE 'UTC')::date;
    SELECT k.monthly_budget_micros INTO v_budget FROM api_key k WHERE k.id = v_hold.key_id;
    SELECT s.spent_micros + s.held_micros INTO v_used
        FROM key_spend s WHERE s.key_id = v_hold.key_id AND s.month = v_month;
    IF v_budget IS NOT NULL AND coalesce(v_used, 0) + v_more > v_budget THEN
        RETURN 'key_budget_exceeded';
    END IF;
    UPDATE account SET held_micros = held_micros + v_more, updated_at = now() WHERE id = v_hold.account_id;
    UPDATE key_spend SET held_micros = held_micros + v_more
        WHERE key_id = v_hold.key_id AND month = v_month;
    UPDATE hold SET amount_micros = p_amount WHERE id = p_hold;
    RETURN 'enlarged';
END $$;

-- Gives back what dead processes held. An account in use just now waits for the next sweep, so that one
-- that is locked for long keeps neither the sweep nor the accounts before it. Returns how many holds it released.
CREATE OR REPLACE FUNCTION release_expired_holds() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    v_account text;
    v_count integer := 0;
    v_released integer;
BEGIN
    FOR v_account IN
        SELECT DISTINCT h.account_id FROM hold h
        WHERE h.status = 'open' AND h.lease_expires_at < now() ORDER BY h.account_id
    LOOP
        PERFORM 1 FROM account a WHERE a.id = v_account FOR NO KEY UPDATE SKIP LOCKED;
        CONTINUE WHEN NOT FOUND;
        WITH released AS (
            UPDATE hold SET status = 'released', closed_at = now()
            WHERE account_id = v_account AND status = 'open' AND lease_expires_at < now()
            RETURNING key_id, amount_micros, date_trunc('month', created_at AT TIME ZONE 'UTC')::date AS month
        ), of_keys AS (
            UPDATE key_spend s SET held_micros = s.held_micros - r.amount
            FROM (SELECT key_id, month, sum(amount_micros) AS amount FROM released GROUP BY 1, 2) r
            WHERE s.key_id = r.key_id AND s.month = r.month
        ), of_account AS (
            UPDATE account SET held_micros = held_micros - r.amount, updated_at = now()
            FROM (SELECT sum(amount_micros) AS amount FROM released HAVING count(*) > 0) r
            WHERE id = v_account
        )
        SELECT count(*) INTO v_released FROM released;
        v_count := v_count + v_released;
    END LOOP;
    RETURN v_count;
END $$;

-- As before, with the weaker lock.
CREATE OR REPLACE FUNCTION credit_account(
    p_entry text, p_account text, p_kind text, p_amount bigint, p_reference text, p_description text
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM account a WHERE a.id = p_account FOR NO KEY UPDATE;
    INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference, description)
        VALUES (p_entry, p_account, p_kind, p_amount, p_reference, p_description)
        ON CONFLICT (reference) DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE account SET balance_micros = balance_micros + p_amount, updated_at = now() WHERE id = p_account;
    RETURN true;
END $$;
