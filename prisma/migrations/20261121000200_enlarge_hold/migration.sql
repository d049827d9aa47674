-- Makes an open hold as large as p_amount, under the same checks as a new one: what a request costs may
-- be known only while it is at work. Says 'enlarged', 'insufficient_balance' or 'key_budget_exceeded'; a hold that
-- is large enough, closed or gone is left as it is.
CREATE FUNCTION enlarge_hold(p_hold text, p_amount bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    v_account text;
    v_hold hold%ROWTYPE;
    v_free bigint;
    v_more bigint;
    v_month date;
    v_budget bigint;
    v_used bigint;
BEGIN
    SELECT h.account_id INTO v_account FROM hold h WHERE h.id = p_hold;
    SELECT a.balance_micros - a.held_micros INTO v_free
        FROM account a WHERE a.id = v_account FOR UPDATE;
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
    UPDATE account SET held_micros = held_micros + v_more, updated_at = now() WHERE id = v_account;
    UPDATE key_spend SET held_micros = held_micros + v_more
        WHERE key_id = v_hold.key_id AND month = v_month;
    UPDATE hold SET amount_micros = p_amount WHERE id = p_hold;
    RETURN 'enlarged';
END $$;
