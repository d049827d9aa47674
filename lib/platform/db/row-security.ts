import "server-only";

import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import type { Tenant } from "./tenant-context";

/** A statement on one connection, or in a transaction. */
export type QueryFn = (
  text: string,
  values?: unknown[],
) => Promise<{ rows: Record<string, unknown>[] }>;

/** Migrations create this policy on every table that has an account's rows. */
const POLICY = "tenant_isolation";

/** Before PostgreSQL 16, membership in a role implied the right to SET it. */
const SET_ROLE_PRIVILEGE =
  "CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END";

const IS_ENABLED_SQL = `
SELECT count(*) > 0 AND bool_and(c.relrowsecurity AND has_table_privilege(r.oid, c.oid, 'DELETE')) AS is_enabled
  FROM pg_roles r CROSS JOIN pg_policy p JOIN pg_class c ON c.oid = p.polrelid
 WHERE r.rolname = 'footnote_tenant' AND pg_has_role(r.oid, ${SET_ROLE_PRIVILEGE}) AND p.polname = '${POLICY}'
   AND c.relnamespace = current_schema()::regnamespace`;

/**
 * Creates the tenant role if it is missing, and enables row-level security on every table that has the policy. Roles
 * belong to the whole server, so another database's process may create the same one at the same time.
 */
const ENABLE_SQL = `DO $enable$
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
  -- Only security-invoker views apply the policies.
  FOR v_table IN SELECT c.oid FROM pg_class c WHERE c.relkind = 'v'
      AND c.relnamespace = current_schema()::regnamespace AND 'security_invoker=true' = ANY (c.reloptions) LOOP
    EXECUTE format('GRANT SELECT ON %s TO footnote_tenant', v_table);
  END LOOP;
END $enable$`;

const HIDDEN_OWNER_SQL = `
SELECT c.relowner::regrole::text AS owner FROM pg_class c JOIN pg_policy p ON c.oid = p.polrelid
 WHERE p.polname = '${POLICY}' AND c.relnamespace = current_schema()::regnamespace AND row_security_active(c.oid)
 LIMIT 1`;

/** Whether every table of tenants enforces it, and this database user can act as a tenant. */
export async function isRowSecurityOn(run: QueryFn): Promise<boolean> {
  const { rows } = await run(IS_ENABLED_SQL);
  return rows[0]?.is_enabled === true;
}

/** The role and account that a tenant's statements run with; null is the tables' owner. */
export function tenantSettings(tenant: Tenant): string[] {
  return tenant === null ? ["none", ""] : ["footnote_tenant", tenant];
}

/**
 * Row-level security as a second barrier behind the application's own predicates: a tenant's statements run as a role
 * that only sees one account's rows.
 */
export class RowSecurity {
  /** Null until a tenant's first statement. */
  isEnabled: boolean | null = env.ROW_SECURITY ? null : false;

  async detect(run: QueryFn): Promise<boolean> {
    if (this.isEnabled === null) {
      this.isEnabled = await isRowSecurityOn(run);
      if (!this.isEnabled) {
        log.warn("row-level security is off: see docs/self-hosting.md#row-level-security");
      }
    }
    return this.isEnabled;
  }
}

/** Runs a step of a tenant's transaction with the owner's rights, then restores the tenant role. */
export async function withOwnerRole<T>(run: QueryFn, work: () => Promise<T>): Promise<T> {
  await run("SELECT set_config('role', 'none', true)");
  const restore = () => run("SELECT set_config('role', 'footnote_tenant', true)");
  const result = await work().catch(async (cause: unknown) => {
    // A failed transaction can't run this; its rollback restores the role.
    await restore().catch(() => {});
    throw cause;
  });
  await restore();
  return result;
}

/**
 * Enables row-level security where it is off. Without the privilege to create the role it stays off, with a warning
 * that names what is missing. Throws when the policies hide the tables from this process itself.
 */
export async function enableRowSecurity(run: QueryFn): Promise<void> {
  const { rows } = await run(HIDDEN_OWNER_SQL);
  if (rows[0]) {
    throw new Error(
      `Row-level security hides the tables from this database user. Connect as their owner, or run: GRANT ${String(rows[0].owner)} TO CURRENT_USER`,
    );
  }
  if (env.ROW_SECURITY && !(await isRowSecurityOn(run))) {
    await run(ENABLE_SQL).catch(warnMissingPrivilege);
  }
}

function warnMissingPrivilege(cause: unknown): void {
  if (!(cause instanceof Error && "code" in cause && cause.code === "42501")) {
    throw cause;
  }
  log.warn(
    { err: cause },
    "row-level security stays off: this database user can't create or set the role footnote_tenant. As an administrator run: CREATE ROLE footnote_tenant NOLOGIN; GRANT footnote_tenant TO <this user>; then start again",
  );
}
