-- Who did what in an account: keys, members, passwords, sessions, payments. Events hold ids alone, and nothing
-- that was written can be changed or taken out before its time.
CREATE TABLE "audit_event" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "details" JSONB NOT NULL DEFAULT '{}',
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_event_account_id_id_idx" ON "audit_event"("account_id", "id");
CREATE INDEX "audit_event_created_at_idx" ON "audit_event"("created_at");
ALTER TABLE "audit_event" ADD CONSTRAINT "audit_event_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the ids of events were last called, beside them, so that names can be forgotten with their account while
-- the events stay.
CREATE TABLE "audit_name" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "audit_name_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_name_account_id_idx" ON "audit_name"("account_id");
ALTER TABLE "audit_name" ADD CONSTRAINT "audit_name_account_id_fkey"
    FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "audit_name" ("id", "account_id", "name")
    SELECT k."id", k."account_id", k."name" FROM "api_key" k WHERE k."purpose" = 'api';

-- What Prisma's schema cannot say.
ALTER TABLE audit_event
    ADD CONSTRAINT audit_event_actor_kind_known CHECK (actor_kind IN ('member', 'key', 'system'));

-- The one way out is sweep_audit_events, which says for the length of its statement how old an event must be.
CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.created_at < nullif(current_setting('footnote.audit_swept_before', true), '')::timestamptz THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'audit events are never changed or removed';
END $$;
CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE ON audit_event
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_event_not_truncated BEFORE TRUNCATE ON audit_event
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

-- Deletes at most p_limit events that are older than p_days, and names that no event bears any more. Returns how
-- many events it deleted.
CREATE FUNCTION sweep_audit_events(p_days integer, p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    v_before timestamptz := now() - make_interval(hours => 24 * p_days);
    v_ids text[];
    v_count integer;
BEGIN
    IF p_days < 1 THEN
        RAISE EXCEPTION 'audit events are kept for a day at least';
    END IF;
    PERFORM set_config('footnote.audit_swept_before', v_before::text, true);
    WITH gone AS (
        DELETE FROM audit_event WHERE id IN (
            SELECT e.id FROM audit_event e WHERE e.created_at < v_before LIMIT p_limit)
        RETURNING actor_id, object_id
    )
    SELECT count(*), array_agg(actor_id) || array_agg(object_id) INTO v_count, v_ids FROM gone;
    PERFORM set_config('footnote.audit_swept_before', '', true);
    DELETE FROM audit_name n WHERE n.id = ANY (v_ids) AND NOT EXISTS (
        SELECT 1 FROM audit_event e WHERE e.account_id = n.account_id AND n.id IN (e.actor_id, e.object_id));
    RETURN v_count;
END $$;
