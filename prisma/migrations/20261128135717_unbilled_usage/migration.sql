-- Settles a batch of requests of one account: charges each and writes its usage record, exactly once. p_items is
-- [{hold, cost, entry, usage}]. Returns the micro-dollars charged for each, in the same order, never more than the hold and
-- the free balance cover; the record keeps the rest as its shortfall, with what an upstream bills and its caller doesn't pay
-- (unbilledMicros of the usage). A request that already has a usage record returns what that record says; a repeated one in the
-- same batch returns null. A hold whose lease has expired reserves nothing anymore, but its request is still charged, as
-- far as the free balance allows.
--
-- Each hold and usage record is read by its primary key, also by plans that a connection made while the tables were empty:
-- LIMIT keeps a subquery from becoming a join, whose other side such a plan read whole, and ANY can only use the index.
-- For the same reason a hold's account is compared after the read: the index on account_id would read all its holds.
CREATE OR REPLACE FUNCTION settle_holds(p_account text, p_items jsonb) RETURNS SETOF bigint LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    v_free bigint;
    v_item record;
    v_reserved bigint;
    v_charge bigint;
    v_charged bigint := 0;
    v_released bigint := 0;
    -- Parallel arrays, one element for each hold that this call settles.
    v_positions bigint[] := '{}';
    v_holds text[] := '{}';
    v_keys text[] := '{}';
    v_months date[] := '{}';
    v_reserves bigint[] := '{}';
    v_charges bigint[] := '{}';
BEGIN
    SELECT a.balance_micros - a.held_micros INTO v_free FROM account a WHERE a.id = p_account FOR NO KEY UPDATE;
    FOR v_item IN
        SELECT i.position, i.hold, i.cost, h.account_id, h.key_id, h.status, h.amount_micros, h.created_at,
               u.id IS NOT NULL AS is_recorded, u.cost_micros AS recorded
        FROM ROWS FROM (jsonb_to_recordset(p_items) AS (hold text, cost bigint)) WITH ORDINALITY
                 AS i (hold, cost, position)
             LEFT JOIN LATERAL (SELECT * FROM hold WHERE id = i.hold LIMIT 1) h ON true
             LEFT JOIN LATERAL (SELECT * FROM usage_record WHERE id = i.hold LIMIT 1) u ON true
        ORDER BY i.position
    LOOP
        IF v_item.cost < 0 THEN
            RAISE EXCEPTION 'the cost of a request must not be negative';
        END IF;
        IF v_item.account_id IS DISTINCT FROM p_account OR v_item.is_recorded OR v_item.hold = ANY (v_holds) THEN
            RETURN NEXT v_item.recorded;
            CONTINUE;
        END IF;
        v_reserved := CASE WHEN v_item.status = 'open' THEN v_item.amount_micros ELSE 0 END;
        v_charge := least(v_item.cost, v_reserved + v_free);
        v_free := v_free + v_reserved - v_charge;
        v_released := v_released + v_reserved;
        v_charged := v_charged + v_charge;
        v_positions := v_positions || v_item.position;
        v_holds := v_holds || v_item.hold;
        v_keys := v_keys || v_item.key_id;
        v_months := v_months || date_trunc('month', v_item.created_at AT TIME ZONE 'UTC')::date;
        v_reserves := v_reserves || v_reserved;
        v_charges := v_charges || v_charge;
        RETURN NEXT v_charge;
    END LOOP;
    IF v_holds = '{}' THEN
        RETURN;
    END IF;
    UPDATE account SET balance_micros = balance_micros - v_charged, held_micros = held_micros - v_released,
                       updated_at = now()
        WHERE id = p_account;
    UPDATE key_spend s SET spent_micros = s.spent_micros + k.charge, held_micros = s.held_micros - k.reserved
        FROM (SELECT d.key_id, d.month, sum(d.charge) AS charge, sum(d.reserved) AS reserved
                FROM unnest(v_keys, v_months, v_charges, v_reserves) AS d (key_id, month, charge, reserved)
               GROUP BY 1, 2) k
        WHERE s.key_id = k.key_id AND s.month = k.month;
    UPDATE hold SET status = CASE WHEN v_charges[array_position(v_holds, id)] > 0 THEN 'settled' ELSE 'released' END,
                    closed_at = now()
        WHERE id = ANY (v_holds);
    WITH settled AS (
        SELECT d.hold, d.charge, d.key_id, i.cost - d.charge AS uncovered, i.entry, i.usage
          FROM unnest(v_positions, v_holds, v_keys, v_charges) AS d (position, hold, key_id, charge),
               jsonb_to_record(p_items -> (d.position - 1)::int) AS i (cost bigint, entry text, usage jsonb)
    ), debits AS (
        INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference)
        SELECT d.entry, p_account, 'usage', -d.charge, 'usage:' || d.hold FROM settled d WHERE d.charge > 0
    )
    INSERT INTO usage_record (id, account_id, key_id, endpoint, model, kind, prompt_tokens, completion_tokens,
                              passages, cost_micros, shortfall_micros, rate, status, warning_codes, latency_ms,
                              first_token_ms, details)
        SELECT d.hold, p_account, d.key_id, u.endpoint, u.model, u.kind, u."promptTokens", u."completionTokens",
               u.passages, d.charge,
               d.uncovered + coalesce(u."unbilledMicros", 0), u.rate, u.status, coalesce(u."warningCodes", '{}'), u."latencyMs",
               u."firstTokenMs", coalesce(u.details, '{}')
          FROM settled d, jsonb_to_record(d.usage)
               AS u (endpoint text, model text, kind text, "promptTokens" int, "completionTokens" int, passages int,
                     rate jsonb, status int, "warningCodes" text[], "latencyMs" int, "firstTokenMs" int,
                     "unbilledMicros" bigint, details jsonb);
END $$;

-- What a vision model may bill for a page beside the page's price.
ALTER TABLE recognized_page ADD COLUMN unbilled_micros bigint NOT NULL DEFAULT 0;
