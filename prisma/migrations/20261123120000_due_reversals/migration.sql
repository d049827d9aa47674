-- Accounts for which collect_outstanding would move money: a debit that their free balance can pay some of, or an excess
-- debit to credit back. At most p_limit, in no order.
CREATE FUNCTION list_collectable_accounts(p_limit integer) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT DISTINCT d.account_id FROM payment_reversal_total d JOIN account a ON a.id = d.account_id
     WHERE d.expected_micros < d.reversed_micros OR d.expected_micros > d.reversed_micros AND a.balance_micros > a.held_micros
     LIMIT p_limit;
$$;
