-- Checkout: sessions that add funds, the payments they became, what was taken back of those, and the
-- events that told of it.

CREATE TABLE "checkout_session" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "provider_id" TEXT,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "url" TEXT,
    "success_url" TEXT NOT NULL,
    "cancel_url" TEXT NOT NULL,
    "receipt_email" TEXT,
    "idempotency_key" TEXT,
    "request_hash" TEXT NOT NULL,
    "payment_reference" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "checkout_session_pkey" PRIMARY KEY ("id")
);

-- A payment that succeeded: its row and its credit are one transaction.
CREATE TABLE "payment" (
    "reference" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "checkout_session_id" TEXT NOT NULL,
    "amount_micros" BIGINT NOT NULL,
    "reversed_micros" BIGINT NOT NULL DEFAULT 0,
    "reversal_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_pkey" PRIMARY KEY ("reference")
);

-- A refund or a dispute of a payment, as the provider last told of it.
CREATE TABLE "payment_reversal" (
    "id" TEXT NOT NULL,
    "payment_reference" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "amount_micros" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "is_taken" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_reversal_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "payment_event" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "checkout_session_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "payment_event_pkey" PRIMARY KEY ("id")
);

-- What a payment provider would know, for a deployment that has none.
CREATE TABLE "simulated_checkout" (
    "id" TEXT NOT NULL,
    "checkout_session_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "success_url" TEXT NOT NULL,
    "cancel_url" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "simulated_checkout_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "checkout_session_provider_id_key" ON "checkout_session"("provider_id");
CREATE UNIQUE INDEX "checkout_session_account_id_idempotency_key_key" ON "checkout_session"("account_id", "idempotency_key");
CREATE INDEX "checkout_session_account_id_id_idx" ON "checkout_session"("account_id", "id");
CREATE INDEX "checkout_session_status_updated_at_idx" ON "checkout_session"("status", "updated_at");
CREATE INDEX "payment_account_id_idx" ON "payment"("account_id");
CREATE INDEX "payment_checkout_session_id_idx" ON "payment"("checkout_session_id");
CREATE INDEX "payment_created_at_idx" ON "payment"("created_at");
CREATE INDEX "payment_reversal_payment_reference_idx" ON "payment_reversal"("payment_reference");
CREATE INDEX "payment_event_checkout_session_id_idx" ON "payment_event"("checkout_session_id");
CREATE UNIQUE INDEX "simulated_checkout_checkout_session_id_key" ON "simulated_checkout"("checkout_session_id");

ALTER TABLE "checkout_session" ADD CONSTRAINT "checkout_session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "payment" ADD CONSTRAINT "payment_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payment" ADD CONSTRAINT "payment_checkout_session_id_fkey" FOREIGN KEY ("checkout_session_id") REFERENCES "checkout_session"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payment_reversal" ADD CONSTRAINT "payment_reversal_payment_reference_fkey" FOREIGN KEY ("payment_reference") REFERENCES "payment"("reference") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "payment_event" ADD CONSTRAINT "payment_event_checkout_session_id_fkey" FOREIGN KEY ("checkout_session_id") REFERENCES "checkout_session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "simulated_checkout" ADD CONSTRAINT "simulated_checkout_checkout_session_id_fkey" FOREIGN KEY ("checkout_session_id") REFERENCES "checkout_session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say.
ALTER TABLE checkout_session
    ADD CONSTRAINT checkout_session_amount_positive CHECK (amount > 0),
    ADD CONSTRAINT checkout_session_provider_known CHECK (provider IN ('stripe', 'simulated')),
    ADD CONSTRAINT checkout_session_status_known
        CHECK (status IN ('open', 'processing', 'failed', 'expired', 'paid'));
ALTER TABLE payment
    ADD CONSTRAINT payment_reversed_within_amount
    CHECK (amount_micros >= 0 AND reversed_micros >= 0 AND reversed_micros <= amount_micros);
ALTER TABLE payment_reversal
    ADD CONSTRAINT payment_reversal_amount_not_negative CHECK (amount_micros >= 0),
    ADD CONSTRAINT payment_reversal_kind_known CHECK (kind IN ('refund', 'dispute'));
ALTER TABLE simulated_checkout
    ADD CONSTRAINT simulated_checkout_state_known
    CHECK (state IN ('open', 'processing', 'failed', 'expired', 'paid'));

-- How far a checkout has come. It only rises: a reading that was overtaken changes nothing, and money
-- that was paid stays paid.
CREATE FUNCTION checkout_rank(p_status text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT array_position(ARRAY['open', 'processing', 'failed', 'expired', 'paid'], p_status);
$$;

-- What each payment of an account should have been debited for its refunds and disputes.
CREATE VIEW payment_due AS
    SELECT p.reference, p.account_id, p.created_at, p.amount_micros, p.reversed_micros, p.reversal_count,
           least(p.amount_micros, coalesce(sum(r.amount_micros) FILTER (WHERE r.is_taken), 0))::bigint AS target
      FROM payment p LEFT JOIN payment_reversal r ON r.payment_reference = p.reference
     GROUP BY p.reference;

-- Moves an account's payments to what they should have been debited: first gives back what was taken too
-- much, then takes what is owed, oldest payment first, as far as the free balance goes. Whatever is left stays
-- owed. Each movement takes one of p_entries as its id, and those it cannot name wait for the next call.
-- Returns the micro-dollars debited, less those given back. The caller has locked the account's row.
CREATE FUNCTION collect_locked(p_account text, p_entries text[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    v_due record;
    v_free bigint;
    v_move bigint;
    v_used integer := 0;
    v_moved bigint := 0;
BEGIN
    SELECT a.balance_micros - a.held_micros INTO v_free FROM account a WHERE a.id = p_account;
    FOR v_due IN
        SELECT d.reference, d.reversal_count, d.target - d.reversed_micros AS owed
          FROM payment_due d WHERE d.account_id = p_account AND d.target <> d.reversed_micros
         ORDER BY d.target > d.reversed_micros, d.created_at, d.reference
    LOOP
        EXIT WHEN v_used >= coalesce(array_length(p_entries, 1), 0);
        v_move := least(v_due.owed, v_free);
        CONTINUE WHEN v_move = 0;
        v_used := v_used + 1;
        INSERT INTO ledger_entry (id, account_id, kind, amount_micros, reference, description)
            VALUES (p_entries[v_used], p_account, 'refund', -v_move,
                    'refund:' || v_due.reference || ':' || (v_due.reversal_count + 1),
                    CASE WHEN v_move > 0 THEN 'Refund or dispute of a payment'
                         ELSE 'Refund or dispute taken back' END);
        UPDATE payment SET reversed_micros = reversed_micros + v_move, reversal_count = reversal_count + 1
            WHERE reference = v_due.reference;
        UPDATE account SET balance_micros = balance_micros - v_move, updated_at = now() WHERE id = p_account;
        v_free := v_free - v_move;
        v_moved := v_moved + v_move;
    END LOOP;
    RETURN v_moved;
END $$;

-- Takes what an account still owes for refunds and disputes, as far as its free balance goes. Returns
-- the micro-dollars debited, less those given back.
CREATE FUNCTION collect_owed(p_account text, p_entries text[]) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM account a WHERE a.id = p_account FOR NO KEY UPDATE;
    RETURN collect_locked(p_account, p_entries);
END $$;

-- Writes what the provider says of a checkout: {account, provider_id, status, expires_at, payment: {reference,
-- amount_micros, reversals: [{id, kind, amount_micros, state, version, is_taken}]} | null, event: {id, type} | null}.
-- As often as it is called and in whatever order, a payment is credited once, and debited for what was taken
-- back of it. p_entries: ids for the ledger entries it makes, in their order.
CREATE FUNCTION converge_payment(
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
            ON CONFLICT (reference) DO NOTHING
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
