-- Each request looks its key up, so holds no longer compare a version of it.
-- Servers of the previous version can't place holds any more: stop them first.

DROP TRIGGER api_key_version ON api_key;
DROP FUNCTION count_key_version();
ALTER TABLE api_key DROP COLUMN version;
DROP FUNCTION place_holds(text, text[], text[], bigint[], integer[], integer[]);

CREATE FUNCTION place_holds(
    p_account text, p_holds text[], p_keys text[], p_amounts bigint[], p_lease_seconds integer[]
) RETURNS TABLE (outcome text, balance bigint, remaining bigint) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    -- Rounded to milliseconds like hold.created_at, so that both always fall in the same month.
    v_month date := date_trunc('month', now()::timestamptz(3) AT TIME ZONE 'UTC')::date;
    v_held bigint;
    v_keys text[];
    v_budgets bigint[];
    v_reserved bigint[];
    v_placed integer[] := '{}';
    v_total bigint := 0;
    v_key integer;
BEGIN
    SELECT a.balance_micros, a.held_micros INTO balance, v_held
        FROM account a WHERE a.id = p_account FOR NO KEY UPDATE;
    SELECT array_agg(k.id), array_agg(k.monthly_budget_micros - coalesce(s.spent_micros + s.held_micros, 0)),
           array_agg(0::bigint)
        INTO v_keys, v_budgets, v_reserved
        FROM api_key k LEFT JOIN key_spend s
               ON s.key_id = k.id AND s.month = v_month AND s.account_id = p_account
        WHERE k.id = ANY (p_keys) AND k.account_id = p_account
          AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp());
    FOR v_index IN 1 .. coalesce(array_length(p_holds, 1), 0) LOOP
        v_key := array_position(v_keys, p_keys[v_index]);
        remaining := balance - v_held - v_total;
        IF v_key IS NULL THEN
            outcome := 'invalid_api_key';
        ELSIF balance < p_amounts[v_index] THEN
            outcome := 'insufficient_balance';
        ELSIF remaining < p_amounts[v_index] THEN
            outcome := 'balance_reserved';
        ELSIF v_budgets[v_key] - v_reserved[v_key] < p_amounts[v_index] THEN
            outcome := 'key_budget_exceeded';
            remaining := greatest(v_budgets[v_key] - v_reserved[v_key], 0);
        ELSE
            outcome := 'admitted';
            v_total := v_total + p_amounts[v_index];
            v_reserved[v_key] := v_reserved[v_key] + p_amounts[v_index];
            v_placed := v_placed || v_index;
        END IF;
        RETURN NEXT;
    END LOOP;
    IF v_placed = '{}' THEN
        RETURN;
    END IF;
    UPDATE account SET held_micros = held_micros + v_total, updated_at = now() WHERE id = p_account;
    INSERT INTO key_spend (key_id, month, account_id, held_micros)
        SELECT u.key, v_month, p_account, u.reserved
        FROM unnest(v_keys, v_reserved) AS u (key, reserved) WHERE u.reserved > 0
        ON CONFLICT (key_id, month, account_id) DO UPDATE
            SET held_micros = key_spend.held_micros + excluded.held_micros;
    INSERT INTO hold (id, account_id, key_id, amount_micros, status, lease_expires_at)
        SELECT p_holds[i], p_account, p_keys[i], p_amounts[i], 'open',
               now() + make_interval(secs => p_lease_seconds[i])
        FROM unnest(v_placed) AS i;
END $$;
