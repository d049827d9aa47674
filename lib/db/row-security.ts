import "server-only";

import { env } from "@/lib/env";
import { log } from "@/lib/log";
import type { Tenant } from "./tenant-context";

/** A statement on one connection, or in a transaction. */
export type QueryFn = (
  text: string,
  values?: unknown[],
) => Promise<{ rows: Record<string, unknown>[] }>;

/** Every table with this policy stands behind the wall; migrations make it. */
const POLICY = "tenant_isolation";

/** Before PostgreSQL 16 whoever is a member of a role may also become it. */
const SET_ROLE_PRIVILEGE =
  "CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END";

const IS_ENABLED_SQL = `
SELECT count(*) > 0 AND bool_and(c.relrowsecurity AND has_table_privilege(r.oid, c.oid, 'DELETE')) AS stands
  FROM pg_roles r CROSS JOIN pg_policy p JOIN pg_class c ON c.oid = p.polrelid
 WHERE r.rolname = 'footnote_tenant' AND pg_has_role(r.oid, ${SET_ROLE_PRIVILEGE}) AND p.polname = '${POLICY}'
   AND c.relnamespace = current_schema()::regnamespace`;

/**
 * Makes the tenants' role where it is missing, and puts every table with the policy behind the wall. Roles belong to
 * the whole server, so another database's process may be making the same one.
 */
const ENABLE_SQL = `DO $wall$
DECLARE
  v_table regclass;
  v_may boolean;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'footnote_tenant') THEN
    BEGIN
      CREATE ROLE footnote_tenant NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END;
  END IF;
  SELECT pg_has_role('footnote_tenant', ${SET_ROLE_PRIVILEGE}) INTO v_may;
  IF NOT v_may THEN
    BEGIN
      GRANT footnote_tenant TO CURRENT_USER;
    EXCEPTION WHEN unique_violation OR internal_error THEN NULL;
    END;
  END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO footnote_tenant', current_schema());
  FOR v_table IN SELECT p.polrelid FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
      WHERE p.polname = '${POLICY}' AND c.relnamespace = current_schema()::regnamespace ORDER BY 1 LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO footnote_tenant', v_table);
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', v_table);
  END LOOP;
  -- Those alone in which the policies hold.
  FOR v_table IN SELECT c.oid FROM pg_class c WHERE c.relkind = 'v'
      AND c.relnamespace = current_schema()::regnamespace AND 'security_invoker=true' = ANY (c.reloptions) LOOP
    EXECUTE format('GRANT SELECT ON %s TO footnote_tenant', v_table);
  END LOOP;
END $wall$`;

const HIDDEN_OWNER_SQL = `
SELECT c.relowner::regrole::text AS owner FROM pg_class c JOIN pg_policy p ON c.oid = p.polrelid
 WHERE p.polname = '${POLICY}' AND c.relnamespace = current_schema()::regnamespace AND row_security_active(c.oid)
 LIMIT 1`;

/** Sets a connection, for $1 and $2 of `settingsOf`. */
export const SET_ROLE_SQL =
  "SELECT set_config('role', $1, false), set_config('footnote.account_id', $2, false)";

/** What a connection is set to for a tenant, or for the product itself. */
export function tenantSettings(tenant: Tenant): string[] {
  return tenant === null ? ["none", ""] : ["footnote_tenant", tenant];
}

/**
 * Row-level security as a second wall behind the application's own predicates: statements of a tenant run as a role
 * that sees the rows of one account alone. Each connection knows for whom it is set, and is set anew before anything
 * is asked of it for anybody else.
 */
export class RowSecurity {
  /** Null until a tenant first asks. */
  isEnabled: boolean | null = env.ROW_SECURITY ? null : false;

  async detect(ask: QueryFn): Promise<boolean> {
    if (this.isEnabled === null) {
      const { rows } = await ask(IS_ENABLED_SQL);
      this.isEnabled = rows[0]?.stands === true;
      if (!this.isEnabled) {
        log.warn("row-level security is off: see docs/self-hosting.md#row-level-security");
      }
    }
    return this.isEnabled;
  }
}

/** Does a step of a tenant's transaction that needs what no tenant has. However it ends, the tenant goes on. */
export async function withOwnerRole<T>(ask: QueryFn, work: () => Promise<T>): Promise<T> {
  await ask("SELECT set_config('role', 'none', true)");
  const goOn = () => ask("SELECT set_config('role', 'footnote_tenant', true)");
  const result = await work().catch(async (cause: unknown) => {
    // In a transaction that has failed nothing runs, this neither; its end undoes what was set in it.
    await goOn().catch(() => {});
    throw cause;
  });
  await goOn();
  return result;
}

/**
 * Raises the wall around tables that stand outside; one that stands is only looked at. Without the right to make a
 * role it stays down, and a warning says what is missing. Throws when it hides the tables from this process itself.
 */
export async function enableRowSecurity(ask: QueryFn): Promise<void> {
  const { rows } = await ask(HIDDEN_OWNER_SQL);
  if (rows[0]) {
    throw new Error(
      `Row-level security hides the tables from this database user. Connect as their owner, or run: GRANT ${String(rows[0].owner)} TO CURRENT_USER`,
    );
  }
  const { rows: found } = await ask(IS_ENABLED_SQL);
  if (env.ROW_SECURITY && found[0]?.stands !== true) {
    await ask(ENABLE_SQL).catch(warnMissingPrivilege);
  }
}

function warnMissingPrivilege(cause: unknown): void {
  if (!(cause instanceof Error && "code" in cause && cause.code === "42501")) {
    throw cause;
  }
  log.warn(
    { err: cause },
    "row-level security stays off: this database user may not make or become the role footnote_tenant. As an administrator run: CREATE ROLE footnote_tenant NOLOGIN; GRANT footnote_tenant TO <this user>; then start again",
  );
}
