-- The account's customer at the payment provider, so that its invoices and receipts are found in one place.
CREATE TABLE payment_customer (
    account_id  text NOT NULL,
    provider    text NOT NULL,
    provider_id text NOT NULL,
    -- As last sent; null when the account has no owner or the provider doesn't accept the address.
    email       text,
    created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT payment_customer_pkey PRIMARY KEY (account_id, provider),
    CONSTRAINT payment_customer_account_id_fkey FOREIGN KEY (account_id)
        REFERENCES account (id) ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE POLICY tenant_isolation ON payment_customer USING (account_id = current_setting('footnote.account_id', true));

-- Stored before the provider is asked: a retry must repeat the order exactly.
ALTER TABLE checkout_session ADD COLUMN customer_id text;

-- The part of reversed_micros that disputes took; the rest is refunds.
ALTER TABLE payment ADD COLUMN disputed_micros bigint NOT NULL DEFAULT 0;
UPDATE payment p
   SET disputed_micros = least(p.reversed_micros, r.amount)
  FROM (SELECT payment_reference, sum(amount_micros)::bigint AS amount FROM payment_reversal
         WHERE kind = 'dispute' AND is_debited GROUP BY payment_reference) r
 WHERE r.payment_reference = p.reference;
ALTER TABLE payment ADD CONSTRAINT payment_disputed_within_reversed
    CHECK (disputed_micros >= 0 AND disputed_micros <= reversed_micros);

CREATE OR REPLACE VIEW payment_reversal_total WITH (security_invoker = true) AS
    SELECT p.reference, p.account_id, p.created_at, p.amount_micros, p.reversed_micros, p.reversal_count,
           least(p.amount_micros, coalesce(sum(r.amount_micros) FILTER (WHERE r.is_debited), 0))::bigint AS expected_micros,
           p.disputed_micros,
           least(p.amount_micros, coalesce(sum(r.amount_micros)
                 FILTER (WHERE r.is_debited AND r.kind = 'dispute'), 0))::bigint AS expected_disputed_micros
      FROM payment p LEFT JOIN payment_reversal r ON r.payment_reference = p.reference
     GROUP BY p.reference;

-- As before, but with an entry of its own for what disputes take or return, so that an owner can tell them from refunds.
CREATE OR REPLACE FUNCTION collect_outstanding_locked(p_account text, p_entries text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v_due record;
    v_part record;
    v_free bigint;
    v_debit bigint;
    v_disputed bigint;
    v_count integer;
    v_used integer := 0;
    v_debited bigint := 0;
BEGIN
    SELECT a.balance_micros - a.held_micros INTO v_free FROM account a WHERE a.id = p_account;
    FOR v_due IN
        SELECT d.reference, d.reversal_count, d.expected_micros - d.reversed_micros AS outstanding,
               d.expected_disputed_micros - d.disputed_micros AS disputed
          FROM payment_reversal_total d WHERE d.account_id = p_account AND d.expected_micros <> d.reversed_micros
         ORDER BY d.expected_micros > d.reversed_micros, d.created_at, d.reference
    LOOP
        v_debit := least(v_due.outstanding, v_free);
        v_disputed := CASE WHEN v_debit > 0 THEN least(v_debit, greatest(0, v_due.disputed))
                           ELSE greatest(v_debit, least(0, v_due.disputed)) END;
        v_count := v_due.reversal_count;
        FOR v_part IN
            SELECT * FROM (VALUES (v_disputed, v_disputed, 'Payment disputed', 'Dispute won'),
                                  (v_debit - v_disputed, 0, 'Payment refunded', 'Refund failed'))
                       AS part (amount, disputed, debit, credit) WHERE amount <> 0
        LOOP
            EXIT WHEN v_used >= coalesce(array_length(p_entries, 1), 0);
            v_used := v_used + 1;
            v_count := v_count + 1;
            INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference, description)
                VALUES (p_entries[v_used], p_account, 'refund', -v_part.amount,
                        'refund:' || v_due.reference || ':' || v_count,
                        CASE WHEN v_part.amount > 0 THEN v_part.debit ELSE v_part.credit END);
            UPDATE payment SET reversed_micros = reversed_micros + v_part.amount, reversal_count = v_count,
                               disputed_micros = disputed_micros + v_part.disputed
                WHERE reference = v_due.reference;
            UPDATE account SET balance_micros = balance_micros - v_part.amount, updated_at = now() WHERE id = p_account;
            v_free := v_free - v_part.amount;
            v_debited := v_debited + v_part.amount;
        END LOOP;
    END LOOP;
    RETURN v_debited;
END $$;
