-- Policies read the tenant in a subquery, which runs once per statement instead of once per row. That was three quarters of
-- what row-level security cost a list. Servers of the previous version keep running.

DO $$
DECLARE
    v_policy record;
BEGIN
    FOR v_policy IN
        SELECT p.polname AS name, p.polrelid::regclass AS of_table, pg_get_expr(p.polqual, p.polrelid) AS condition
          FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
         WHERE c.relnamespace = current_schema()::regnamespace
    LOOP
        IF v_policy.condition LIKE '%current_setting(''footnote.account_id''%'
           AND v_policy.condition NOT LIKE '%SELECT current_setting(%' THEN
            EXECUTE format('ALTER POLICY %I ON %s USING (%s)', v_policy.name, v_policy.of_table,
                           replace(v_policy.condition, 'current_setting(''footnote.account_id''::text, true)',
                                   '(SELECT current_setting(''footnote.account_id'', true))'));
        END IF;
    END LOOP;
END $$;
