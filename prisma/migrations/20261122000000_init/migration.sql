-- The whole schema, by domain:
--
--    1. Accounts and members
--    2. API keys and presets
--    3. Ledger and holds
--    4. Payments
--    5. Usage
--    6. Documents and search
--    7. Jobs
--    8. Stored answers
--    9. Audit log
--   10. Row-level security
--   11. Initial rows
--
-- prisma/schema.prisma describes each table and column. What Prisma can't express lives only here: check constraints,
-- functions, triggers, storage options, partial indexes and policies.
--
-- Conventions
--   * Money is a bigint in micro-dollars: 1,000,000 is $1.
--   * Most tables include account_id in their primary key, unique keys and foreign keys, so that no reference can cross
--     accounts. Each key starts with the column that queries look up.
--   * Foreign keys on account_id don't cascade updates (ON UPDATE NO ACTION): an account's id never changes.

CREATE EXTENSION IF NOT EXISTS vector;

------------------------------------------------------------------------------------------------------------------------
-- 1. Accounts and members
------------------------------------------------------------------------------------------------------------------------

-- The tenant. A closed account loses its name and its members, but the row stays: the ledger and payments refer to it.
CREATE TABLE account (
    id                      text NOT NULL,
    name                    text NOT NULL,
    balance_micros          bigint NOT NULL DEFAULT 0,
    held_micros             bigint NOT NULL DEFAULT 0,
    low_balance_micros      bigint,
    low_balance_notified_at timestamptz(3),
    low_balance_lease_until timestamptz(3),
    low_balance_attempts    integer NOT NULL DEFAULT 0,
    created_at              timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at              timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    closed_at               timestamptz(3),
    sharing_enabled         boolean NOT NULL DEFAULT false,
    -- False: originals are deleted once they are processed.
    keep_originals          boolean NOT NULL DEFAULT true,

    CONSTRAINT account_pkey PRIMARY KEY (id),
    -- The last line of defense: no code path can overdraw an account.
    CONSTRAINT account_balance_covers_holds
        CHECK (balance_micros >= 0 AND held_micros >= 0 AND held_micros <= balance_micros),
    CONSTRAINT account_low_balance_positive CHECK (low_balance_micros > 0)
);
-- For the low-balance alerts. It leaves out the columns that requests update, so that charging one never writes to it.
CREATE INDEX account_low_balance_idx ON account (id) WHERE low_balance_micros IS NOT NULL;

CREATE TABLE member (
    id                 text NOT NULL,
    account_id         text NOT NULL,
    email              text NOT NULL,
    name               text,
    role               text NOT NULL,
    password_hash      text,
    created_at         timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- With mail, a member confirms the email before the first key.
    email_confirmed_at timestamptz(3),
    sign_up_mailed_at  timestamptz(3),

    CONSTRAINT member_pkey PRIMARY KEY (id),
    CONSTRAINT member_account_id_fkey FOREIGN KEY (account_id)
        REFERENCES account (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX member_email_key ON member (email);
CREATE INDEX member_account_id_idx ON member (account_id);

-- A sign-in with an OAuth provider.
CREATE TABLE member_identity (
    provider   text NOT NULL,
    subject    text NOT NULL,
    member_id  text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT member_identity_pkey PRIMARY KEY (provider, subject),
    CONSTRAINT member_identity_member_id_fkey FOREIGN KEY (member_id)
        REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX member_identity_member_id_idx ON member_identity (member_id);

-- The session cookie holds this id. Deleting the row signs the browser out.
CREATE TABLE member_session (
    id           text NOT NULL,
    member_id    text NOT NULL,
    user_agent   text,
    created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_seen_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at   timestamptz(3) NOT NULL,

    CONSTRAINT member_session_pkey PRIMARY KEY (id),
    CONSTRAINT member_session_member_id_fkey FOREIGN KEY (member_id)
        REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX member_session_member_id_idx ON member_session (member_id);

-- Reset links and invitations store only a hash of the token that was sent.
CREATE TABLE password_reset (
    token_hash bytea NOT NULL,
    member_id  text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at timestamptz(3) NOT NULL,

    CONSTRAINT password_reset_pkey PRIMARY KEY (token_hash),
    CONSTRAINT password_reset_member_id_fkey FOREIGN KEY (member_id)
        REFERENCES member (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX password_reset_member_id_idx ON password_reset (member_id);
CREATE INDEX password_reset_expires_at_idx ON password_reset (expires_at);

CREATE TABLE invitation (
    id            text NOT NULL,
    account_id    text NOT NULL,
    invited_by_id text,
    email         text NOT NULL,
    role          text NOT NULL,
    token_hash    bytea NOT NULL,
    created_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at    timestamptz(3) NOT NULL,
    -- Whoever opens the link of a mailed invitation has the email.
    mailed_at     timestamptz(3),

    CONSTRAINT invitation_pkey PRIMARY KEY (id),
    CONSTRAINT invitation_role_check CHECK (role IN ('owner', 'member')),
    CONSTRAINT invitation_account_id_fkey FOREIGN KEY (account_id)
        REFERENCES account (id) ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT invitation_invited_by_id_fkey FOREIGN KEY (invited_by_id)
        REFERENCES member (id) ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX invitation_token_hash_key ON invitation (token_hash);
CREATE UNIQUE INDEX invitation_account_id_email_key ON invitation (account_id, email);
CREATE INDEX invitation_invited_by_id_idx ON invitation (invited_by_id);

-- The owner of a personal knowledge base: a member, or an end user whom the account identifies by its own reference.
CREATE TABLE person (
    id         text NOT NULL,
    account_id text NOT NULL,
    kind       text NOT NULL,
    reference  text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT person_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT person_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX person_account_id_kind_reference_key ON person (account_id, kind, reference);

------------------------------------------------------------------------------------------------------------------------
-- 2. API keys and presets
------------------------------------------------------------------------------------------------------------------------

-- A key of purpose 'playground' is used by the console itself. It has no secret, so no client can send it.
CREATE TABLE api_key (
    id                    text NOT NULL,
    account_id            text NOT NULL,
    created_by_id         text,
    person_id             text,
    name                  text NOT NULL,
    purpose               text NOT NULL DEFAULT 'api',
    mode                  text NOT NULL,
    prefix                text NOT NULL,
    last_four             text NOT NULL,
    scopes                text[],
    knowledge_scopes      text[],
    models                text[],
    monthly_budget_micros bigint,
    requests_per_minute   integer,
    tokens_per_minute     integer,
    created_at            timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    last_used_at          timestamptz(3),
    expires_at            timestamptz(3),
    revoked_at            timestamptz(3),
    query_mode            text NOT NULL DEFAULT 'last',

    CONSTRAINT api_key_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT api_key_purpose_check CHECK (purpose IN ('api', 'playground')),
    CONSTRAINT api_key_query_mode_check CHECK (query_mode IN ('last', 'conversation')),
    CONSTRAINT api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT api_key_created_by_id_fkey FOREIGN KEY (created_by_id)
        REFERENCES member (id) ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT api_key_person_id_account_id_fkey FOREIGN KEY (person_id, account_id)
        REFERENCES person (id, account_id) ON DELETE RESTRICT
);
CREATE INDEX api_key_account_id_id_idx ON api_key (account_id, id);
CREATE INDEX api_key_created_by_id_idx ON api_key (created_by_id);
CREATE INDEX api_key_person_id_idx ON api_key (person_id);

-- Authentication looks a key up by the hash of its secret. While a key is being rotated it has several: the newest, and
-- replaced ones that still work until they expire. Everything else (scopes, budget, limits, spending) belongs to the key.
CREATE TABLE key_secret (
    hash         bytea NOT NULL,
    key_id       text NOT NULL,
    account_id   text NOT NULL,
    last_four    text NOT NULL,
    created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at   timestamptz(3),
    last_used_at timestamptz(3),

    CONSTRAINT key_secret_pkey PRIMARY KEY (hash),
    CONSTRAINT key_secret_key_id_account_id_fkey FOREIGN KEY (key_id, account_id)
        REFERENCES api_key (id, account_id) ON DELETE CASCADE
);
CREATE INDEX key_secret_key_id_idx ON key_secret (key_id);

-- Spending per key and calendar month (UTC), for monthly budgets.
CREATE TABLE key_spend (
    key_id       text NOT NULL,
    month        date NOT NULL,
    account_id   text NOT NULL,
    spent_micros bigint NOT NULL DEFAULT 0,
    held_micros  bigint NOT NULL DEFAULT 0,

    CONSTRAINT key_spend_pkey PRIMARY KEY (key_id, month, account_id),
    CONSTRAINT key_spend_key_id_account_id_fkey FOREIGN KEY (key_id, account_id)
        REFERENCES api_key (id, account_id) ON DELETE CASCADE
);

-- A model with `citations` defaults, listed as `model:preset`.
CREATE TABLE preset (
    id                   text NOT NULL,
    account_id           text NOT NULL,
    name                 text NOT NULL,
    model                text NOT NULL,
    citations            jsonb NOT NULL,
    created_by_member_id text,
    -- Without a foreign key: a key's row outlives its revocation.
    created_by_key_id    text,
    created_at           timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at           timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Whether requests with it ignore what its model doesn't support; null: they do if it is the built-in one.
    ignore_unsupported   boolean,

    CONSTRAINT preset_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT preset_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT preset_created_by_member_id_fkey FOREIGN KEY (created_by_member_id)
        REFERENCES member (id) ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX preset_account_id_model_name_key ON preset (account_id, model, name);
CREATE INDEX preset_account_id_id_idx ON preset (account_id, id);
CREATE INDEX preset_created_by_member_id_idx ON preset (created_by_member_id);

------------------------------------------------------------------------------------------------------------------------
-- 3. Ledger and holds
--
-- A request first places a hold for the most it could cost, and is charged the actual cost when it settles. Every function
-- that changes a balance, a hold or a key's spending locks the account's row first and reads in later statements, so that
-- all processes see the same order of events. FOR NO KEY UPDATE is enough for that, and doesn't block inserts of rows that
-- only refer to the account, such as uploads.
------------------------------------------------------------------------------------------------------------------------

-- Append-only: an account's balance is the sum of its entries. The reference makes each entry idempotent.
CREATE TABLE ledger_entry (
    id            text NOT NULL,
    account_id    text NOT NULL,
    kind          text NOT NULL,
    amount_micros bigint NOT NULL,
    reference     text NOT NULL,
    description   text,
    created_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT ledger_entry_pkey PRIMARY KEY (account_id, id),
    CONSTRAINT ledger_entry_kind_check CHECK (kind IN ('top_up', 'usage', 'grant', 'refund', 'adjustment')),
    CONSTRAINT ledger_entry_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE RESTRICT
);
CREATE UNIQUE INDEX ledger_entry_reference_account_id_key ON ledger_entry (reference, account_id);

CREATE FUNCTION prevent_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'ledger entries are append-only';
END $$;
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE ON ledger_entry
    FOR EACH ROW EXECUTE FUNCTION prevent_ledger_change();

-- An authorization on the balance. If its process dies, the lease expires and release_expired_holds frees the money.
--
-- Neither holds nor usage records refer to their account: checking that would cost each completion two more queries. Only
-- functions that have locked the account's row write them, and an account with either is never deleted. Closing a hold adds
-- to every index of the table, so there is none on the account.
CREATE TABLE hold (
    id               text NOT NULL,
    account_id       text NOT NULL,
    key_id           text NOT NULL,
    amount_micros    bigint NOT NULL,
    status           text NOT NULL,
    lease_expires_at timestamptz(3) NOT NULL,
    created_at       timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    closed_at        timestamptz(3),

    CONSTRAINT hold_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT hold_amount_nonnegative CHECK (amount_micros >= 0),
    CONSTRAINT hold_status_check CHECK (status IN ('open', 'settled', 'released'))
);
CREATE INDEX hold_status_lease_expires_at_idx ON hold (status, lease_expires_at);

-- Adds money to an account, once per reference. Returns whether this call added it.
CREATE FUNCTION credit_account(
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

-- Places holds for a batch of requests of one account, in order. Each needs a usable key, enough free balance and enough
-- of the key's monthly budget. Batching lets concurrent requests share one lock of the account's row.
--
-- Returns one row per request, in the same order. `remaining` is what a rejected request could have reserved: of
-- the budget for key_budget_exceeded, of the balance otherwise.
--
-- force_generic_plan: the planner would otherwise prefer a custom plan, and planning each call costs more than running it.
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

-- Raises an open hold to p_amount under the same checks as a new one, for work whose cost becomes known along the way.
-- Returns 'increased', 'insufficient_balance' or 'key_budget_exceeded'. A hold that is already large enough, closed or
-- missing is left alone; the first check skips the account lock for those.
CREATE FUNCTION increase_hold(p_hold text, p_amount bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    v_hold hold%ROWTYPE;
    v_free bigint;
    v_increase bigint;
    v_month date;
    v_budget bigint;
    v_used bigint;
BEGIN
    SELECT * INTO v_hold FROM hold h WHERE h.id = p_hold AND h.status = 'open';
    IF NOT FOUND OR v_hold.amount_micros >= p_amount THEN
        RETURN 'increased';
    END IF;
    SELECT a.balance_micros - a.held_micros INTO v_free
        FROM account a WHERE a.id = v_hold.account_id FOR NO KEY UPDATE;
    SELECT * INTO v_hold FROM hold h WHERE h.id = p_hold AND h.status = 'open' FOR UPDATE;
    IF NOT FOUND OR v_hold.amount_micros >= p_amount THEN
        RETURN 'increased';
    END IF;
    v_increase := p_amount - v_hold.amount_micros;
    IF v_free < v_increase THEN
        RETURN 'insufficient_balance';
    END IF;
    v_month := date_trunc('month', v_hold.created_at AT TIME ZONE 'UTC')::date;
    SELECT k.monthly_budget_micros INTO v_budget FROM api_key k WHERE k.id = v_hold.key_id;
    SELECT s.spent_micros + s.held_micros INTO v_used
        FROM key_spend s WHERE s.key_id = v_hold.key_id AND s.month = v_month;
    IF v_budget IS NOT NULL AND coalesce(v_used, 0) + v_increase > v_budget THEN
        RETURN 'key_budget_exceeded';
    END IF;
    UPDATE account SET held_micros = held_micros + v_increase, updated_at = now() WHERE id = v_hold.account_id;
    UPDATE key_spend SET held_micros = held_micros + v_increase
        WHERE key_id = v_hold.key_id AND month = v_month;
    UPDATE hold SET amount_micros = p_amount WHERE id = p_hold;
    RETURN 'increased';
END $$;

-- Settles a batch of requests of one account: charges each and writes its usage record, exactly once. p_items is
-- [{hold, cost, entry, usage}]. Returns the micro-dollars charged for each, in the same order, never more than the hold and
-- the free balance cover; the record keeps the rest as its shortfall, with what an upstream bills and its caller doesn't
-- pay (unbilledMicros of the usage). A request that already has a usage record returns what that record says; a repeated
-- one in the same batch returns null. A hold whose lease has expired reserves nothing anymore, but its request is still
-- charged, as far as the free balance allows.
--
-- Each hold and usage record is read by its primary key, also by plans that a connection made while the tables were empty:
-- LIMIT keeps a subquery from becoming a join, whose other side such a plan read whole, and ANY can only use the index.
-- force_generic_plan: its statements get arrays of any length, for which PostgreSQL would plan them again in every call, to
-- the same plans.
CREATE FUNCTION settle_holds(p_account text, p_items jsonb) RETURNS SETOF bigint LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
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

-- Settles one request, for callers that know only its hold.
CREATE FUNCTION settle_hold(p_hold text, p_cost bigint, p_entry text, p_usage jsonb)
RETURNS bigint LANGUAGE sql AS $$
    SELECT s.charge
      FROM hold h, settle_holds(h.account_id, jsonb_build_array(jsonb_build_object(
               'hold', p_hold, 'cost', p_cost, 'entry', p_entry, 'usage', p_usage))) AS s (charge)
     WHERE h.id = p_hold;
$$;

-- Releases the holds of dead processes and returns how many. An account that is locked is skipped until the next run, so
-- that one long transaction doesn't block the others.
CREATE FUNCTION release_expired_holds() RETURNS integer LANGUAGE plpgsql AS $$
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
        ), key_update AS (
            UPDATE key_spend s SET held_micros = s.held_micros - r.amount
            FROM (SELECT key_id, month, sum(amount_micros) AS amount FROM released GROUP BY 1, 2) r
            WHERE s.key_id = r.key_id AND s.month = r.month
        ), account_update AS (
            UPDATE account SET held_micros = held_micros - r.amount, updated_at = now()
            FROM (SELECT sum(amount_micros) AS amount FROM released HAVING count(*) > 0) r
            WHERE id = v_account
        )
        SELECT count(*) INTO v_released FROM released;
        v_count := v_count + v_released;
    END LOOP;
    RETURN v_count;
END $$;

------------------------------------------------------------------------------------------------------------------------
-- 4. Payments
--
-- A checkout session becomes a payment once it succeeds; refunds and disputes are reversals of that payment. A webhook only
-- says that something changed: the session is read from the provider and sync_checkout_session writes the result, so events
-- can arrive late, twice or out of order.
------------------------------------------------------------------------------------------------------------------------

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
        REFERENCES account (id) ON DELETE CASCADE
);

CREATE TABLE checkout_session (
    id                text NOT NULL,
    account_id        text NOT NULL,
    provider          text NOT NULL,
    provider_id       text,
    amount            integer NOT NULL,
    currency          text NOT NULL,
    status            text NOT NULL DEFAULT 'open',
    url               text,
    success_url       text NOT NULL,
    cancel_url        text NOT NULL,
    receipt_email     text,
    idempotency_key   text,
    request_hash      text NOT NULL,
    payment_reference text,
    created_at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updated_at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at        timestamptz(3) NOT NULL,
    -- Stored before the provider is asked: a retry must repeat the order exactly.
    customer_id       text,

    CONSTRAINT checkout_session_pkey PRIMARY KEY (id),
    CONSTRAINT checkout_session_amount_positive CHECK (amount > 0),
    CONSTRAINT checkout_session_provider_check CHECK (provider IN ('stripe', 'simulated')),
    CONSTRAINT checkout_session_status_check CHECK (status IN ('open', 'processing', 'failed', 'expired', 'paid')),
    CONSTRAINT checkout_session_account_id_fkey FOREIGN KEY (account_id)
        REFERENCES account (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX checkout_session_provider_id_key ON checkout_session (provider_id);
CREATE UNIQUE INDEX checkout_session_account_id_idempotency_key_key ON checkout_session (account_id, idempotency_key);
CREATE INDEX checkout_session_account_id_id_idx ON checkout_session (account_id, id);
CREATE INDEX checkout_session_status_updated_at_idx ON checkout_session (status, updated_at);

-- A payment that succeeded, inserted in the same transaction as its credit. reversed_micros is what the ledger has
-- debited for its refunds and disputes so far, in reversal_count entries.
CREATE TABLE payment (
    reference           text NOT NULL,
    account_id          text NOT NULL,
    checkout_session_id text NOT NULL,
    amount_micros       bigint NOT NULL,
    reversed_micros     bigint NOT NULL DEFAULT 0,
    reversal_count      integer NOT NULL DEFAULT 0,
    created_at          timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- The part of reversed_micros that disputes took; the rest is refunds.
    disputed_micros     bigint NOT NULL DEFAULT 0,

    CONSTRAINT payment_pkey PRIMARY KEY (reference),
    CONSTRAINT payment_reversed_within_amount
        CHECK (amount_micros >= 0 AND reversed_micros >= 0 AND reversed_micros <= amount_micros),
    CONSTRAINT payment_disputed_within_reversed
        CHECK (disputed_micros >= 0 AND disputed_micros <= reversed_micros),
    CONSTRAINT payment_account_id_fkey FOREIGN KEY (account_id)
        REFERENCES account (id) ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT payment_checkout_session_id_fkey FOREIGN KEY (checkout_session_id)
        REFERENCES checkout_session (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX payment_account_id_idx ON payment (account_id);
CREATE INDEX payment_checkout_session_id_idx ON payment (checkout_session_id);
CREATE INDEX payment_created_at_idx ON payment (created_at);

-- A refund or dispute, as last read from the provider. The version increases monotonically; an older reading is ignored.
CREATE TABLE payment_reversal (
    id                text NOT NULL,
    payment_reference text NOT NULL,
    kind              text NOT NULL,
    amount_micros     bigint NOT NULL,
    state             text NOT NULL,
    version           integer NOT NULL,
    is_debited        boolean NOT NULL,
    created_at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT payment_reversal_pkey PRIMARY KEY (id),
    CONSTRAINT payment_reversal_amount_nonnegative CHECK (amount_micros >= 0),
    CONSTRAINT payment_reversal_kind_check CHECK (kind IN ('refund', 'dispute')),
    CONSTRAINT payment_reversal_payment_reference_fkey FOREIGN KEY (payment_reference)
        REFERENCES payment (reference) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX payment_reversal_payment_reference_idx ON payment_reversal (payment_reference);

-- Webhook events that have been applied, by the provider's id.
CREATE TABLE payment_event (
    id                  text NOT NULL,
    type                text NOT NULL,
    checkout_session_id text NOT NULL,
    created_at          timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT payment_event_pkey PRIMARY KEY (id),
    CONSTRAINT payment_event_checkout_session_id_fkey FOREIGN KEY (checkout_session_id)
        REFERENCES checkout_session (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX payment_event_checkout_session_id_idx ON payment_event (checkout_session_id);

-- The state of the simulated provider, for deployments without a real one.
CREATE TABLE simulated_checkout (
    id                  text NOT NULL,
    checkout_session_id text NOT NULL,
    account_id          text NOT NULL,
    amount              integer NOT NULL,
    currency            text NOT NULL,
    state               text NOT NULL DEFAULT 'open',
    success_url         text NOT NULL,
    cancel_url          text NOT NULL,
    created_at          timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    expires_at          timestamptz(3) NOT NULL,

    CONSTRAINT simulated_checkout_pkey PRIMARY KEY (id),
    CONSTRAINT simulated_checkout_state_check CHECK (state IN ('open', 'processing', 'failed', 'expired', 'paid')),
    CONSTRAINT simulated_checkout_checkout_session_id_fkey FOREIGN KEY (checkout_session_id)
        REFERENCES checkout_session (id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX simulated_checkout_checkout_session_id_key ON simulated_checkout (checkout_session_id);

-- Orders the statuses. A session only moves up, so a stale reading changes nothing and a paid session stays paid.
CREATE FUNCTION checkout_rank(p_status text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT array_position(ARRAY['open', 'processing', 'failed', 'expired', 'paid'], p_status);
$$;

-- For each payment, what its refunds and disputes should have debited (expected) and what they have (reversed).
-- security_invoker: the view is read with the caller's privileges, so that row-level security applies to its tables.
CREATE VIEW payment_reversal_total WITH (security_invoker = true) AS
    SELECT p.reference, p.account_id, p.created_at, p.amount_micros, p.reversed_micros, p.reversal_count,
           least(p.amount_micros, coalesce(sum(r.amount_micros) FILTER (WHERE r.is_debited), 0))::bigint AS expected_micros,
           p.disputed_micros,
           least(p.amount_micros, coalesce(sum(r.amount_micros)
                 FILTER (WHERE r.is_debited AND r.kind = 'dispute'), 0))::bigint AS expected_disputed_micros
      FROM payment p LEFT JOIN payment_reversal r ON r.payment_reference = p.reference
     GROUP BY p.reference;

-- Debits what refunds and disputes of an account's payments have not debited yet, oldest payment first, as far as the free
-- balance allows; excess debits are credited back first. The rest stays outstanding. What disputes take or return has an
-- entry of its own, so that an owner can tell it from refunds. p_entries are ids for the ledger entries; when they run out,
-- the next call continues. Returns the net micro-dollars debited. The caller must have locked the account's row.
CREATE FUNCTION collect_outstanding_locked(p_account text, p_entries text[]) RETURNS bigint LANGUAGE plpgsql AS $$
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

-- Same, and takes the lock itself.
CREATE FUNCTION collect_outstanding(p_account text, p_entries text[]) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM account a WHERE a.id = p_account FOR NO KEY UPDATE;
    RETURN collect_outstanding_locked(p_account, p_entries);
END $$;

-- Writes the provider's view of a checkout session:
--   {account, provider_id, status, expires_at, event: {id, type} | null, payment: {reference, amount_micros,
--    reversals: [{id, kind, amount_micros, state, version, is_debited}]} | null}
-- Idempotent and independent of order: however often it runs, a payment is credited once and each reversal debited once.
-- p_entries are ids for the ledger entries it makes, in order.
CREATE FUNCTION sync_checkout_session(
    p_checkout text, p_facts jsonb, p_entries text[],
    OUT status text, OUT credited bigint, OUT debited bigint, OUT outstanding bigint
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
        RAISE EXCEPTION 'checkout % does not belong to account %', p_checkout, p_facts->>'account';
    END IF;
    UPDATE checkout_session c
        SET status = CASE WHEN checkout_rank(p_facts->>'status') > checkout_rank(c.status)
                          THEN p_facts->>'status' ELSE c.status END,
            provider_id = coalesce(c.provider_id, p_facts->>'provider_id'),
            payment_reference = coalesce(c.payment_reference, v_reference),
            expires_at = (p_facts->>'expires_at')::timestamptz, updated_at = now()
        WHERE c.id = p_checkout RETURNING c.status INTO sync_checkout_session.status;
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
        INSERT INTO payment_reversal (id, payment_reference, kind, amount_micros, state, version, is_debited)
            SELECT r.id, p.reference, r.kind, r.amount_micros, r.state, r.version, r.is_debited
              FROM jsonb_to_recordset(v_payment->'reversals') AS r (
                       id text, kind text, amount_micros bigint, state text, version integer, is_debited boolean)
                   JOIN payment p ON p.reference = v_reference AND p.account_id = v_account
            ON CONFLICT (id) DO UPDATE
                SET state = excluded.state, version = excluded.version, is_debited = excluded.is_debited,
                    amount_micros = excluded.amount_micros
                WHERE excluded.version > payment_reversal.version;
    END IF;
    debited := collect_outstanding_locked(v_account, p_entries[2:]);
    SELECT coalesce(sum(d.expected_micros - d.reversed_micros), 0) INTO outstanding
        FROM payment_reversal_total d WHERE d.account_id = v_account AND d.expected_micros > d.reversed_micros;
END $$;

-- Accounts for which collect_outstanding would move money: a debit that their free balance can pay some of, or an excess
-- debit to credit back. At most p_limit, in no order.
CREATE FUNCTION list_collectable_accounts(p_limit integer) RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT DISTINCT d.account_id FROM payment_reversal_total d JOIN account a ON a.id = d.account_id
     WHERE d.expected_micros < d.reversed_micros OR d.expected_micros > d.reversed_micros AND a.balance_micros > a.held_micros
     LIMIT p_limit;
$$;

------------------------------------------------------------------------------------------------------------------------
-- 5. Usage
------------------------------------------------------------------------------------------------------------------------

-- One row per processed request, with the id of its hold. Holds no message or passage text: details is limited to
-- stages, source ids and verdict counts.
CREATE TABLE usage_record (
    id                text NOT NULL,
    account_id        text NOT NULL,
    key_id            text NOT NULL,
    endpoint          text NOT NULL,
    model             text,
    kind              text NOT NULL,
    prompt_tokens     integer NOT NULL DEFAULT 0,
    completion_tokens integer NOT NULL DEFAULT 0,
    passages          integer,
    cost_micros       bigint NOT NULL,
    rate              jsonb NOT NULL,
    status            integer NOT NULL,
    warning_codes     text[],
    latency_ms        integer NOT NULL,
    first_token_ms    integer,
    details           jsonb NOT NULL DEFAULT '{}',
    created_at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- What the request cost above its hold and the free balance: the operator pays it to the upstream.
    shortfall_micros  bigint NOT NULL DEFAULT 0,

    CONSTRAINT usage_record_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT usage_record_shortfall_nonnegative CHECK (shortfall_micros >= 0)
);
CREATE INDEX usage_record_account_id_id_idx ON usage_record (account_id, id);
CREATE INDEX usage_record_account_id_created_at_idx ON usage_record (account_id, created_at);

-- Requests of a known key that failed before any work began, so without a usage record and without a charge. Sampled per
-- key and account, and deleted sooner than usage records.
CREATE TABLE refused_request (
    id         text NOT NULL,
    account_id text NOT NULL,
    key_id     text NOT NULL,
    endpoint   text NOT NULL,
    model      text,
    status     integer NOT NULL,
    code       text NOT NULL,
    -- As the caller saw it.
    message    text NOT NULL,
    param      text,
    latency_ms integer NOT NULL,
    -- How many refusals of this key came before this one without being recorded.
    skipped    integer NOT NULL DEFAULT 0,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT refused_request_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT refused_request_account_id_fkey FOREIGN KEY (account_id)
        REFERENCES account (id) ON DELETE CASCADE
);
CREATE INDEX refused_request_account_id_created_at_id_idx ON refused_request (account_id, created_at, id);
CREATE INDEX refused_request_created_at_idx ON refused_request (created_at);

-- Usage records and closed holds older than these times may have been deleted. Written in the same transaction as each
-- deletion, so that the billing audit doesn't report them missing, whatever the retention setting was back then.
CREATE TABLE retention_watermark (
    id             integer NOT NULL DEFAULT 1,
    records_before timestamptz(3),
    holds_before   timestamptz(3),

    CONSTRAINT retention_watermark_pkey PRIMARY KEY (id),
    CONSTRAINT retention_watermark_single_row CHECK (id = 1)
);

------------------------------------------------------------------------------------------------------------------------
-- 6. Documents and search
--
-- Rows of the public knowledge base belong to the account acct_public, which nobody signs in to.
------------------------------------------------------------------------------------------------------------------------

-- One searchable set of documents: the public one, an account's, or a person's.
CREATE TABLE collection (
    id          text NOT NULL,
    scope       text NOT NULL,
    account_id  text NOT NULL,
    person_id   text,
    chunk_count integer NOT NULL DEFAULT 0,
    created_at  timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT collection_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT collection_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT collection_person_id_account_id_fkey FOREIGN KEY (person_id, account_id)
        REFERENCES person (id, account_id) ON DELETE CASCADE
);
CREATE INDEX collection_account_id_idx ON collection (account_id);
CREATE INDEX collection_person_id_idx ON collection (person_id);

CREATE TABLE document (
    id                text NOT NULL,
    collection_id     text NOT NULL,
    account_id        text NOT NULL,
    scope             text NOT NULL,
    title             text NOT NULL,
    source_type       text NOT NULL,
    url               text,
    published_at      timestamptz(3),
    metadata          jsonb NOT NULL DEFAULT '{}',
    media_type        text NOT NULL,
    size_bytes        integer NOT NULL,
    content_hash      bytea NOT NULL,
    text              text,
    chunk_count       integer NOT NULL DEFAULT 0,
    created_at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Where each page begins in the text, from page 1; null without pages.
    page_starts       integer[],
    -- Where text is that was recognized in images.
    recognized_ranges integer[],
    uncertain_ranges  integer[],
    -- The caller's own id, unique in its collection.
    external_id       text,
    standing          text NOT NULL DEFAULT 'current',
    -- The caller gave the title, so that a replacement without one keeps it.
    has_own_title     boolean NOT NULL DEFAULT false,
    -- Of the text or the description; null if neither has changed.
    updated_at        timestamptz(3),
    file_name         text,

    CONSTRAINT document_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT document_standing_check CHECK (standing IN ('current', 'superseded', 'retracted')),
    CONSTRAINT document_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT document_collection_id_account_id_fkey FOREIGN KEY (collection_id, account_id)
        REFERENCES collection (id, account_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX document_collection_id_external_id_account_id_key
    ON document (collection_id, external_id, account_id);
-- The same bytes are one document, unless they have different external ids.
CREATE UNIQUE INDEX document_collection_id_content_hash_external_id_account_id_key
    ON document (collection_id, content_hash, external_id, account_id) NULLS NOT DISTINCT;
CREATE INDEX document_account_id_id_idx ON document (account_id, id);

-- An uploaded file: its bytes, or the slices of a large one. Once processed it becomes the original in place, so that its
-- bytes are written once. A new version of a document waits beside it, with the hash of its bytes and the fields that the
-- upload names; both replace the document's when the job completes, and are null for a first version.
CREATE TABLE document_upload (
    document_id  text NOT NULL,
    account_id   text NOT NULL,
    bytes        bytea,
    name         text,
    title        text,
    ocr          text NOT NULL DEFAULT 'auto',
    content_hash bytea,
    description  jsonb,
    is_original  boolean NOT NULL DEFAULT false,
    size_bytes   integer NOT NULL DEFAULT 0,
    file_id      text,

    CONSTRAINT document_upload_pkey PRIMARY KEY (document_id, account_id, is_original),
    CONSTRAINT document_upload_content CHECK (num_nonnulls(bytes, file_id) = 1),
    CONSTRAINT document_upload_ocr_check CHECK (ocr IN ('auto', 'off', 'force')),
    CONSTRAINT document_upload_document_id_account_id_fkey FOREIGN KEY (document_id, account_id)
        REFERENCES document (id, account_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX document_upload_file_id_account_id_key ON document_upload (file_id, account_id);
-- Adding up an account's bytes reads only this index.
CREATE INDEX document_upload_account_id_size_bytes_idx ON document_upload (account_id, size_bytes);
-- Most documents are compressed already. Trying again takes seconds for the largest.
ALTER TABLE document_upload ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- A file that arrives in parts.
CREATE TABLE upload (
    id         text NOT NULL,
    account_id text NOT NULL,
    owner_id   text,
    name       text,
    purpose    text,
    size_bytes integer NOT NULL,
    status     text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed', 'cancelled')),
    answer     jsonb,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,

    CONSTRAINT upload_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT upload_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
);
CREATE INDEX upload_account_id_idx ON upload (account_id);
CREATE INDEX upload_expires_at_idx ON upload (expires_at);

-- A slice belongs to an upload, and then to a document's file: it changes hands without being copied.
CREATE TABLE upload_slice (
    part_id     text NOT NULL,
    account_id  text NOT NULL,
    part_offset integer NOT NULL,
    upload_id   text,
    file_id     text,
    position    integer,
    bytes       bytea NOT NULL,
    size_bytes  integer NOT NULL,
    part_hash   bytea,
    part_number integer,
    created_at  timestamptz(3) NOT NULL DEFAULT now(),

    CONSTRAINT upload_slice_pkey PRIMARY KEY (part_id, account_id, part_offset),
    CONSTRAINT upload_slice_owner CHECK (num_nonnulls(upload_id, file_id) = 1 AND (file_id IS NULL) = (position IS NULL)),
    CONSTRAINT upload_slice_upload_id_account_id_fkey FOREIGN KEY (upload_id, account_id)
        REFERENCES upload (id, account_id) ON DELETE CASCADE,
    CONSTRAINT upload_slice_file_id_account_id_fkey FOREIGN KEY (file_id, account_id)
        REFERENCES document_upload (file_id, account_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX upload_slice_file_id_account_id_position_key ON upload_slice (file_id, account_id, position);
CREATE INDEX upload_slice_upload_id_account_id_idx ON upload_slice (upload_id, account_id);
-- Most documents are compressed already.
ALTER TABLE upload_slice ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Where the words of a page are, by their range in the document's text. lib/documents/page-boxes.ts encodes the boxes.
CREATE TABLE document_page (
    document_id text NOT NULL,
    account_id  text NOT NULL,
    page        integer NOT NULL,
    boxes       bytea NOT NULL,

    CONSTRAINT document_page_pkey PRIMARY KEY (document_id, account_id, page),
    CONSTRAINT document_page_document_id_account_id_fkey FOREIGN KEY (document_id, account_id)
        REFERENCES document (id, account_id) ON DELETE CASCADE
);
-- The boxes are deltas already, which don't compress.
ALTER TABLE document_page ALTER COLUMN boxes SET STORAGE EXTERNAL;

-- Remembers that a document existed, so that a link to it can say it was deleted. Holds nothing of its content.
CREATE TABLE document_tombstone (
    document_id   text NOT NULL,
    collection_id text NOT NULL,
    account_id    text NOT NULL,
    deleted_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT document_tombstone_pkey PRIMARY KEY (document_id, account_id),
    CONSTRAINT document_tombstone_account_id_fkey FOREIGN KEY (account_id)
        REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT document_tombstone_collection_id_account_id_fkey FOREIGN KEY (collection_id, account_id)
        REFERENCES collection (id, account_id) ON DELETE CASCADE
);
CREATE INDEX document_tombstone_collection_id_idx ON document_tombstone (collection_id);
CREATE INDEX document_tombstone_account_id_idx ON document_tombstone (account_id);

-- A passage: the range [char_start, char_end) of its document's text. term_keys are hashed with the collection, so that a
-- term of one tenant can't match another's; weights are the BM25 weights of those terms, by the lexicon of lexicon_version.
CREATE TABLE chunk (
    id              text NOT NULL,
    document_id     text NOT NULL,
    collection_id   text NOT NULL,
    account_id      text NOT NULL,
    ordinal         integer NOT NULL,
    source_type     text NOT NULL,
    text            text NOT NULL,
    char_start      integer NOT NULL,
    char_end        integer NOT NULL,
    page_start      integer,
    page_end        integer,
    headings        text[],
    token_count     integer NOT NULL,
    warnings        text[],
    lexicon_version text NOT NULL,
    term_keys       integer[],
    weights         sparsevec NOT NULL,
    -- A copy of the document's standing, so that searches leave retracted passages out before they rank.
    is_retracted    boolean NOT NULL DEFAULT false,

    CONSTRAINT chunk_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT chunk_document_id_account_id_fkey FOREIGN KEY (document_id, account_id)
        REFERENCES document (id, account_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX chunk_document_id_ordinal_account_id_key ON chunk (document_id, ordinal, account_id);
CREATE INDEX chunk_collection_id_idx ON chunk (collection_id);
-- A search reads the whole pending list once per condition on term keys: with the default of 4 MB, about 2,300 passages just
-- uploaded, which made it several times slower. A shorter list adds about 0.08 ms to the storing of a passage.
CREATE INDEX chunk_term_keys_idx ON chunk USING gin (term_keys) WITH (gin_pending_list_limit = 512);
-- Ranking reads the weights of every candidate, so they stay in the row instead of moving to TOAST.
ALTER TABLE chunk ALTER COLUMN weights SET STORAGE MAIN;

-- Compressing with pglz took most of the time it takes to store a document. lz4 is optional when PostgreSQL is built.
DO $$
BEGIN
    ALTER TABLE document ALTER COLUMN text SET COMPRESSION lz4;
    ALTER TABLE chunk ALTER COLUMN text SET COMPRESSION lz4, ALTER COLUMN term_keys SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
    NULL;
END $$;

-- Embeddings have their own narrow table, so that an exact scan of a collection reads nothing else. `space` names the
-- embedding model and its dimensions.
CREATE TABLE chunk_vector (
    space         text NOT NULL,
    chunk_id      text NOT NULL,
    collection_id text NOT NULL,
    account_id    text NOT NULL,
    source_type   text NOT NULL,
    embedding     halfvec NOT NULL,
    -- As of its chunk.
    is_retracted  boolean NOT NULL DEFAULT false,

    CONSTRAINT chunk_vector_pkey PRIMARY KEY (chunk_id, space, account_id),
    CONSTRAINT chunk_vector_chunk_id_account_id_fkey FOREIGN KEY (chunk_id, account_id)
        REFERENCES chunk (id, account_id) ON DELETE CASCADE
);
CREATE INDEX chunk_vector_collection_id_space_idx ON chunk_vector (collection_id, space);
-- A row of up to 3,800 dimensions fits in a page. Stored out of line, each distance would cost another lookup.
ALTER TABLE chunk_vector ALTER COLUMN embedding SET STORAGE PLAIN;

-- Large collections get an HNSW index of their own; search reads here which of them exist.
CREATE TABLE vector_index (
    collection_id text NOT NULL,
    space         text NOT NULL,
    account_id    text NOT NULL,
    name          text NOT NULL,
    created_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT vector_index_pkey PRIMARY KEY (collection_id, space, account_id),
    CONSTRAINT vector_index_collection_id_account_id_fkey FOREIGN KEY (collection_id, account_id)
        REFERENCES collection (id, account_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX vector_index_name_account_id_key ON vector_index (name, account_id);

-- How many chunks of a collection contain a term, for BM25. It has no foreign key: counts only change while their
-- collection's row is locked, and checking it for the thousand or so terms of a batch took half the time. A trigger
-- deletes the counts with the collection.
-- fillfactor: counts are updated all the time, and room on the page keeps those updates out of the index (HOT).
CREATE TABLE document_frequency (
    collection_id text NOT NULL,
    term_key      integer NOT NULL,
    account_id    text NOT NULL,
    chunk_count   integer NOT NULL,

    CONSTRAINT document_frequency_pkey PRIMARY KEY (collection_id, term_key, account_id)
) WITH (fillfactor = 60);

CREATE FUNCTION delete_document_frequencies() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM document_frequency WHERE collection_id = OLD.id AND account_id = OLD.account_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER collection_delete_document_frequencies AFTER DELETE ON collection
    FOR EACH ROW EXECUTE FUNCTION delete_document_frequencies();

-- The words of a collection's chunks, from which misspelled words of queries are corrected: lower case, without accents,
-- unstemmed. A word is deleted when no chunk has its term anymore. term_key is the term's key in document_frequency.
-- deletion_keys are the word's start without one or two of its letters, hashed with the collection, so that a word of one
-- tenant can't match another's.
CREATE TABLE vocabulary (
    collection_id text NOT NULL,
    term_key      integer NOT NULL,
    word          text NOT NULL,
    account_id    text NOT NULL,
    deletion_keys integer[],

    CONSTRAINT vocabulary_pkey PRIMARY KEY (collection_id, term_key, word, account_id),
    CONSTRAINT vocabulary_collection_id_account_id_fkey FOREIGN KEY (collection_id, account_id)
        REFERENCES collection (id, account_id) ON DELETE CASCADE
);
-- A lookup also scans the pending list, so it stays short.
CREATE INDEX vocabulary_deletion_keys_idx ON vocabulary USING gin (deletion_keys) WITH (gin_pending_list_limit = 256);

------------------------------------------------------------------------------------------------------------------------
-- 7. Jobs
------------------------------------------------------------------------------------------------------------------------

-- What callers see of the processing of a document. A job outlives its document, so it has no foreign key to it.
-- queue_id is its row in the queue (schema pgboss); worker is the advisory lock number of the process that runs it.
CREATE TABLE job (
    id                  text NOT NULL,
    account_id          text NOT NULL,
    document_id         text NOT NULL,
    hold_id             text,
    collection_id       text NOT NULL,
    queue_id            uuid,
    worker              integer,
    status              text NOT NULL,
    stage               text,
    progress            double precision NOT NULL DEFAULT 0,
    attempts            integer NOT NULL DEFAULT 0,
    error_code          text,
    error_message       text,
    report              jsonb,
    created_at          timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    started_at          timestamptz(3),
    finished_at         timestamptz(3),
    -- Jobs run in the order of a weighted fair queue: an account's next job finishes, in virtual time, after the work that the
    -- account already has waiting. Small and large files of an account are two separate flows.
    virtual_finish      integer NOT NULL DEFAULT 0,
    is_large            boolean NOT NULL DEFAULT false,
    -- The tokens that the current attempt has sent to the embedding model: what a canceled job pays for.
    embedded_tokens     integer NOT NULL DEFAULT 0,
    ocr_pages           integer NOT NULL DEFAULT 0,
    -- Whether a worker died while it parsed the job's file: a second time fails the job.
    parsing_interrupted boolean NOT NULL DEFAULT false,

    CONSTRAINT job_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT job_ocr_pages_check CHECK (ocr_pages >= 0),
    CONSTRAINT job_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
);
CREATE INDEX job_account_id_id_idx ON job (account_id, id);
CREATE INDEX job_document_id_idx ON job (document_id);
CREATE INDEX job_status_idx ON job (status);
-- An upload counts its account's open jobs and looks for attempts that used up their budget.
CREATE INDEX job_open_idx ON job (account_id) WHERE status IN ('queued', 'processing');
CREATE INDEX job_too_complex_idx ON job (account_id, finished_at) WHERE error_code = 'too_complex';

-- Recognized pages of an open job, so that a job whose worker dies goes on where it was.
CREATE TABLE recognized_page (
    job_id          text NOT NULL,
    account_id      text NOT NULL,
    page            integer NOT NULL CHECK (page > 0),
    content         bytea NOT NULL,
    model           text,
    cost_micros     bigint NOT NULL CHECK (cost_micros >= 0),
    -- What a vision model may bill for the page beside the page's price.
    unbilled_micros bigint NOT NULL DEFAULT 0,

    CONSTRAINT recognized_page_pkey PRIMARY KEY (job_id, account_id, page),
    CONSTRAINT recognized_page_job_id_account_id_fkey FOREIGN KEY (job_id, account_id)
        REFERENCES job (id, account_id) ON DELETE CASCADE
);

------------------------------------------------------------------------------------------------------------------------
-- 8. Stored answers
------------------------------------------------------------------------------------------------------------------------

-- An answer whose request asked for `store: true`, with the evidence as it was at that time.
CREATE TABLE stored_completion (
    id                text NOT NULL,
    account_id        text NOT NULL,
    request_id        text NOT NULL,
    key_id            text NOT NULL,
    person_id         text,
    knowledge_scopes  text[],
    model             text NOT NULL,
    metadata          jsonb NOT NULL DEFAULT '{}',
    messages          jsonb NOT NULL,
    response          jsonb NOT NULL,
    evidence          jsonb NOT NULL,
    created_at        timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Of messages, response and evidence, which count toward the account's limit.
    bytes             integer NOT NULL DEFAULT 0,
    -- What a stored response repeats of its request; null for an answer of chat completions.
    response_settings jsonb,
    -- Until when an answer can be referred to that nobody asked to store; null for stored ones.
    expires_at        timestamptz(3),

    CONSTRAINT stored_completion_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT stored_completion_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT stored_completion_person_id_account_id_fkey FOREIGN KEY (person_id, account_id)
        REFERENCES person (id, account_id) ON DELETE CASCADE
);
CREATE INDEX stored_completion_account_id_id_idx ON stored_completion (account_id, id);
CREATE INDEX stored_completion_request_id_idx ON stored_completion (request_id);
CREATE INDEX stored_completion_person_id_idx ON stored_completion (person_id);
CREATE INDEX stored_completion_created_at_idx ON stored_completion (created_at);
CREATE INDEX stored_completion_expires_at_idx ON stored_completion (expires_at) WHERE expires_at IS NOT NULL;
-- Adding up an account's bytes of either kind reads only this index.
CREATE INDEX stored_completion_account_id_expires_at_bytes_idx ON stored_completion (account_id, expires_at, bytes);

-- Evidence must not change after the fact: only the metadata may.
CREATE FUNCTION prevent_evidence_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (to_jsonb(NEW) - 'metadata') IS DISTINCT FROM (to_jsonb(OLD) - 'metadata') THEN
        RAISE EXCEPTION 'a stored completion is immutable, except for its metadata';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER stored_completion_immutable BEFORE UPDATE ON stored_completion
    FOR EACH ROW EXECUTE FUNCTION prevent_evidence_update();

-- Links by which members show a stored answer, or one quote of a document, to people without a sign-in. The link itself is
-- computed from the id, so this table doesn't hold what opens it.
CREATE TABLE shared_link (
    id            text NOT NULL,
    account_id    text NOT NULL,
    -- Who created it: the link shows what this member may read, and ends with their membership.
    member_id     text NOT NULL,
    -- The request of a stored answer, or else a document's quote.
    request_id    text,
    document_id   text,
    quote_ref     text,
    created_at    timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Null: until it is revoked.
    expires_at    timestamptz(3),

    CONSTRAINT shared_link_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT shared_link_account_id_fkey FOREIGN KEY (account_id)
        REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT shared_link_member_id_fkey FOREIGN KEY (member_id)
        REFERENCES member (id) ON DELETE CASCADE,
    CONSTRAINT shared_link_has_one_target CHECK (
        (request_id IS NOT NULL) = (document_id IS NULL) AND (document_id IS NULL) = (quote_ref IS NULL))
);
CREATE INDEX shared_link_account_id_id_idx ON shared_link (account_id, id);
CREATE INDEX shared_link_member_id_idx ON shared_link (member_id);

-- Answers of requests with an Idempotency-Key, for a day.
CREATE TABLE idempotent_request (
    account_id      text NOT NULL,
    key_id          text NOT NULL,
    idempotency_key text NOT NULL,
    person_id       text,
    request_hash    text NOT NULL,
    -- The request that runs, or ran. Whoever finds its lease expired takes over.
    request_id      text NOT NULL,
    lease_until     timestamptz(3) NOT NULL,
    -- The body of the response; null while the request runs.
    answer          text,
    cost_usd        text,
    bytes           integer NOT NULL DEFAULT 0,
    created_at      timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT idempotent_request_pkey PRIMARY KEY (account_id, key_id, idempotency_key),
    CONSTRAINT idempotent_request_account_id_fkey FOREIGN KEY (account_id)
        REFERENCES account (id) ON DELETE CASCADE,
    CONSTRAINT idempotent_request_key_id_account_id_fkey FOREIGN KEY (key_id, account_id)
        REFERENCES api_key (id, account_id) ON DELETE CASCADE,
    CONSTRAINT idempotent_request_person_id_account_id_fkey FOREIGN KEY (person_id, account_id)
        REFERENCES person (id, account_id) ON DELETE CASCADE
);
-- Adding up an account's bytes reads only this index.
CREATE INDEX idempotent_request_account_id_bytes_idx ON idempotent_request (account_id, bytes);
CREATE INDEX idempotent_request_created_at_idx ON idempotent_request (created_at);
CREATE INDEX idempotent_request_person_id_idx ON idempotent_request (person_id);
CREATE INDEX idempotent_request_key_id_idx ON idempotent_request (key_id);

------------------------------------------------------------------------------------------------------------------------
-- 9. Audit log
------------------------------------------------------------------------------------------------------------------------

-- Who did what to an account's keys, members, sessions and money. Events hold only ids and are append-only.
CREATE TABLE audit_event (
    id         text NOT NULL,
    account_id text NOT NULL,
    actor_kind text NOT NULL,
    actor_id   text NOT NULL,
    action     text NOT NULL,
    object_id  text NOT NULL,
    details    jsonb NOT NULL DEFAULT '{}',
    request_id text,
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT audit_event_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT audit_event_actor_kind_check CHECK (actor_kind IN ('member', 'key', 'system')),
    CONSTRAINT audit_event_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE RESTRICT
);
CREATE INDEX audit_event_account_id_id_idx ON audit_event (account_id, id);
CREATE INDEX audit_event_created_at_idx ON audit_event (created_at);

-- The latest name of each id in the log. Closing an account deletes the names, while the events stay.
CREATE TABLE audit_subject (
    id         text NOT NULL,
    account_id text NOT NULL,
    name       text NOT NULL,

    CONSTRAINT audit_subject_pkey PRIMARY KEY (id, account_id),
    CONSTRAINT audit_subject_account_id_fkey FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
);
CREATE INDEX audit_subject_account_id_idx ON audit_subject (account_id);

-- Only delete_expired_audit_events may delete: it sets the cutoff for the length of its own statement.
CREATE FUNCTION prevent_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.created_at < nullif(current_setting('footnote.audit_delete_before', true), '')::timestamptz THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'audit events are append-only';
END $$;
CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE ON audit_event
    FOR EACH ROW EXECUTE FUNCTION prevent_audit_change();
CREATE TRIGGER audit_event_no_truncate BEFORE TRUNCATE ON audit_event
    FOR EACH STATEMENT EXECUTE FUNCTION prevent_audit_change();

-- Deletes up to p_limit events older than p_days, and the names that no event refers to anymore. Returns how many
-- events it deleted.
CREATE FUNCTION delete_expired_audit_events(p_days integer, p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    v_before timestamptz := now() - make_interval(hours => 24 * p_days);
    v_ids text[];
    v_count integer;
BEGIN
    IF p_days < 1 THEN
        RAISE EXCEPTION 'audit events must be retained for at least one day';
    END IF;
    PERFORM set_config('footnote.audit_delete_before', v_before::text, true);
    WITH deleted AS (
        DELETE FROM audit_event WHERE id IN (
            SELECT e.id FROM audit_event e WHERE e.created_at < v_before LIMIT p_limit)
        RETURNING actor_id, object_id
    )
    SELECT count(*), array_agg(actor_id) || array_agg(object_id) INTO v_count, v_ids FROM deleted;
    PERFORM set_config('footnote.audit_delete_before', '', true);
    DELETE FROM audit_subject n WHERE n.id = ANY (v_ids) AND NOT EXISTS (
        SELECT 1 FROM audit_event e WHERE e.account_id = n.account_id AND n.id IN (e.actor_id, e.object_id));
    RETURN v_count;
END $$;

------------------------------------------------------------------------------------------------------------------------
-- 10. Row-level security
--
-- Defense in depth behind the application's own predicates. A statement that runs for an account sees and changes only that
-- account's rows, and can also read the public knowledge base. The policies have no effect until startup has created
-- the role footnote_tenant and enabled them (docs/self-hosting.md#row-level-security). The owner of the tables, as which
-- the product itself connects, is exempt.
--
-- The tenant is read in a subquery, which runs once per statement instead of once per row.
--
-- A new table with rows of an account needs a policy named tenant_isolation, or tenants can't reach it at all.
------------------------------------------------------------------------------------------------------------------------

CREATE POLICY tenant_isolation ON account USING (id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON api_key USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON audit_event USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON audit_subject USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON checkout_session USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON chunk USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON chunk_vector USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON collection USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON document USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON document_frequency USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON document_page USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON document_tombstone USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON document_upload USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON hold USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON idempotent_request USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON invitation USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON job USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON key_secret USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON key_spend USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON ledger_entry USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON member USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON payment USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON payment_customer USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON person USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON preset USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON recognized_page USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON refused_request USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON shared_link USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON simulated_checkout USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON stored_completion USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON upload USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON upload_slice USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON usage_record USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON vector_index USING (account_id = (SELECT current_setting('footnote.account_id', true)));
CREATE POLICY tenant_isolation ON vocabulary USING (account_id = (SELECT current_setting('footnote.account_id', true)));

-- These tables have no account_id. The policies of the table in the subquery apply inside it.
CREATE POLICY tenant_isolation ON member_identity
    USING (EXISTS (SELECT FROM member p WHERE p.id = member_id));
CREATE POLICY tenant_isolation ON member_session
    USING (EXISTS (SELECT FROM member p WHERE p.id = member_id));
CREATE POLICY tenant_isolation ON password_reset
    USING (EXISTS (SELECT FROM member p WHERE p.id = member_id));
CREATE POLICY tenant_isolation ON payment_event
    USING (EXISTS (SELECT FROM checkout_session p WHERE p.id = checkout_session_id));
CREATE POLICY tenant_isolation ON payment_reversal
    USING (EXISTS (SELECT FROM payment p WHERE p.reference = payment_reference));

-- Every tenant can read the public knowledge base.
CREATE POLICY public_knowledge ON chunk FOR SELECT USING (account_id = 'acct_public');
CREATE POLICY public_knowledge ON chunk_vector FOR SELECT USING (account_id = 'acct_public');
CREATE POLICY public_knowledge ON collection FOR SELECT USING (account_id = 'acct_public');
CREATE POLICY public_knowledge ON document FOR SELECT USING (account_id = 'acct_public');
CREATE POLICY public_knowledge ON document_frequency FOR SELECT USING (account_id = 'acct_public');
CREATE POLICY public_knowledge ON document_page FOR SELECT USING (account_id = 'acct_public');
CREATE POLICY public_knowledge ON document_tombstone FOR SELECT USING (account_id = 'acct_public');
CREATE POLICY public_knowledge ON vector_index FOR SELECT USING (account_id = 'acct_public');
CREATE POLICY public_knowledge ON vocabulary FOR SELECT USING (account_id = 'acct_public');

------------------------------------------------------------------------------------------------------------------------
-- 11. Initial rows
------------------------------------------------------------------------------------------------------------------------

INSERT INTO account (id, name) VALUES ('acct_public', 'Public knowledge base');
INSERT INTO retention_watermark (id) VALUES (1);
