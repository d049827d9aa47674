import "server-only";

import pg from "pg";
import { type RowSecurity, SET_ROLE_SQL, tenantSettings } from "./row-security";
import type { Tenant } from "./tenant-context";

const SET_TENANT_STATEMENT = "set_tenant";

type Callback = (error: Error | null, result?: pg.QueryResult) => void;
type Statement = [config: string | pg.QueryConfig, values?: unknown[]];

/** A pool connection. `tenant` is set on checkout; the server switches with the first statement. */
export class TenantClient extends pg.Client {
  tenant: Tenant = null;
  /** The server's current tenant; undefined when unknown. */
  #serverTenant: Tenant | undefined = null;

  constructor(
    config: pg.ClientConfig | undefined,
    readonly rowSecurity: RowSecurity,
  ) {
    super(config);
  }

  /** Prepares the tenant switch before the connection is first handed out. */
  async prepareTenantSwitch(): Promise<void> {
    await super.query({
      name: SET_TENANT_STATEMENT,
      text: SET_ROLE_SQL,
      values: tenantSettings(null),
    });
  }

  /** Whether no switch is needed for `tenant`. */
  hasTenant(tenant: Tenant): boolean {
    return this.#serverTenant === tenant;
  }

  /** Whether it already has the role `tenant` needs, if for another account. */
  hasRoleFor(tenant: Tenant): boolean {
    return this.#serverTenant !== undefined && (this.#serverTenant === null) === (tenant === null);
  }

  // All of pg's overloads.
  override query(...parts: never[]): never {
    if (this.#serverTenant === this.tenant || this.rowSecurity.isEnabled === false) {
      return super.query(...(parts as unknown as [pg.Submittable])) as never;
    }
    const [config, ...rest] = parts as unknown as [...Statement, Callback?];
    if (typeof config !== "string" && "submit" in config) {
      throw new Error("a stream must start inside a transaction, whose tenant is already set");
    }
    const values = rest.find((part): part is unknown[] => Array.isArray(part));
    const callback = rest.find((part): part is Callback => typeof part === "function");
    const result = this.#switchAndQuery(values ? [config, values] : [config]);
    if (callback) {
      result.then((found) => callback(null, found), callback);
    }
    return (callback ? undefined : result) as never;
  }

  async #switchAndQuery([config, values]: Statement): Promise<pg.QueryResult> {
    const { tenant } = this;
    if (!(await this.rowSecurity.detect((text) => super.query(text)))) {
      return super.query(config, values);
    }
    this.#serverTenant = undefined;
    const query = new TenantSwitchQuery(tenant, config, values);
    if (!query.requiresPreparation()) {
      await super.query({
        name: SET_TENANT_STATEMENT,
        text: SET_ROLE_SQL,
        values: tenantSettings(tenant),
      });
      this.#serverTenant = tenant;
      return super.query(config, values);
    }
    const result = await new Promise<pg.QueryResult>((resolve, reject) => {
      query.callback = (error, found) => (error || !found ? reject(error) : resolve(found));
      super.query(query);
    });
    this.#serverTenant = tenant;
    return result;
  }
}

/** The part of pg's connection that its types leave out. */
interface Wire {
  bind(portal: { portal: string; statement: string; values: readonly string[] }): void;
  execute(portal: { portal: string }): void;
}

interface PgQuery extends pg.Submittable {
  callback?: Callback;
  requiresPreparation(): boolean;
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}

const Query = pg.Query as unknown as new (
  ...statement: [string | pg.QueryConfig, unknown[]?]
) => PgQuery;

/**
 * Sends the tenant switch and a statement in one message, so that switching costs no round trip. The server runs the
 * statement only after the switch, and reverts the switch when the statement fails.
 */
class TenantSwitchQuery extends Query {
  readonly #tenant: Tenant;
  #isSwitching = true;
  /** pg reads it from here. */
  readonly query_timeout: number | undefined;

  constructor(tenant: Tenant, config: string | pg.QueryConfig, values?: unknown[]) {
    super(config, values);
    this.#tenant = tenant;
    this.query_timeout =
      typeof config === "object" && "query_timeout" in config
        ? Number(config.query_timeout)
        : undefined;
  }

  override prepare(wire: Wire): void {
    wire.bind({
      portal: "",
      statement: SET_TENANT_STATEMENT,
      values: tenantSettings(this.#tenant),
    });
    wire.execute({ portal: "" });
    super.prepare(wire);
  }

  override handleDataRow(message: unknown): void {
    if (!this.#isSwitching) {
      super.handleDataRow(message);
    }
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#isSwitching) {
      this.#isSwitching = false;
    } else {
      super.handleCommandComplete(message, wire);
    }
  }
}
