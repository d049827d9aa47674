import "server-only";

import pg from "pg";
import { type RowSecurity, SET_ROLE_SQL, tenantSettings } from "./row-security";
import type { Tenant } from "./tenant-context";

const SET_TENANT_STATEMENT = "wall_become";

type Callback = (error: Error | null, result?: pg.QueryResult) => void;
type Statement = [config: string | pg.QueryConfig, values?: unknown[]];

/** A connection of the pool. It is `tenant`'s from the moment they take it; the server is told with their first statement. */
export class TenantClient extends pg.Client {
  tenant: Tenant = null;
  /** For whom the server has it; undefined when that is not certain. */
  #set: Tenant | undefined = null;

  constructor(
    config: pg.ClientConfig | undefined,
    readonly rowSecurity: RowSecurity,
  ) {
    super(config);
  }

  /** Prepares the change of tenant, before anybody has the connection. */
  async prepareTenantSwitch(): Promise<void> {
    await super.query({
      name: SET_TENANT_STATEMENT,
      text: SET_ROLE_SQL,
      values: tenantSettings(null),
    });
  }

  /** Whether nothing must be told to the server before `tenant` has the connection. */
  hasTenant(tenant: Tenant): boolean {
    return this.#set === tenant;
  }

  /** Whether it has the role that `tenant` needs, be it for somebody else. */
  hasRoleFor(tenant: Tenant): boolean {
    return this.#set !== undefined && (this.#set === null) === (tenant === null);
  }

  // All the forms that pg's own has, which its types tell one by one.
  override query(...parts: never[]): never {
    if (this.#set === this.tenant || this.rowSecurity.isEnabled === false) {
      return super.query(...(parts as unknown as [pg.Submittable])) as never;
    }
    const [config, ...rest] = parts as unknown as [...Statement, Callback?];
    if (typeof config !== "string" && "submit" in config) {
      throw new Error("a stream begins in a transaction, whose tenant is set");
    }
    const values = rest.find((part): part is unknown[] => Array.isArray(part));
    const callback = rest.find((part): part is Callback => typeof part === "function");
    const asked = this.#askAnew(values ? [config, values] : [config]);
    if (callback) {
      asked.then((result) => callback(null, result), callback);
    }
    return (callback ? undefined : asked) as never;
  }

  async #askAnew([config, values]: Statement): Promise<pg.QueryResult> {
    const { tenant } = this;
    if (!(await this.rowSecurity.detect((text) => super.query(text)))) {
      return super.query(config, values);
    }
    this.#set = undefined;
    const query = new TenantSwitchQuery(tenant, config, values);
    if (!query.requiresPreparation()) {
      await super.query({
        name: SET_TENANT_STATEMENT,
        text: SET_ROLE_SQL,
        values: tenantSettings(tenant),
      });
      this.#set = tenant;
      return super.query(config, values);
    }
    const result = await new Promise<pg.QueryResult>((resolve, reject) => {
      query.callback = (error, found) => (error || !found ? reject(error) : resolve(found));
      super.query(query);
    });
    this.#set = tenant;
    return result;
  }
}

/** What pg's query says to its connection, and hears; its types do not tell. */
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
 * A statement behind a change of tenant, both in one message: the server begins it only when the change is made, and
 * undoes the change when the statement fails. So the wall costs no turn of its own.
 */
class TenantSwitchQuery extends Query {
  readonly #tenant: Tenant;
  #isChanging = true;
  /** pg looks for it here. */
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
    if (!this.#isChanging) {
      super.handleDataRow(message);
    }
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#isChanging) {
      this.#isChanging = false;
    } else {
      super.handleCommandComplete(message, wire);
    }
  }
}
