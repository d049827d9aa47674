import "server-only";

import pg from "pg";
import { env } from "@/lib/env";
import { type RowSecurity, SET_ROLE_SQL, tenantSettings } from "./row-security";
import { currentTenant, type Tenant } from "./tenant-context";

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool whose connections switch to the current tenant on checkout. */
export class TenantPool extends pg.Pool {
  constructor(config: pg.PoolConfig, rowSecurity: RowSecurity) {
    super({
      ...config,
      Client: class extends TenantClient {
        constructor(options?: pg.ClientConfig) {
          super(options, rowSecurity);
        }
      },
      onConnect: async (client) => {
        await config.onConnect?.(client);
        if (env.ROW_SECURITY) {
          await (client as TenantClient).switchTo(null);
        }
      },
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    // Read now: the connection may arrive in another request's async context.
    const tenant = currentTenant();
    this.preferConnectionOf(tenant);
    if (!callback) {
      return super.connect().then((client) => assignTenant(client, tenant));
    }
    super.connect((error, client, done) =>
      callback(error, client && assignTenant(client, tenant), done),
    );
    return undefined;
  }

  /** Moves the idle connection that needs the least switching to where the pool takes the next one. */
  private preferConnectionOf(tenant: Tenant): void {
    const { _idle: idle } = this as unknown as { _idle?: { client: TenantClient }[] };
    if (!idle || idle.length < 2 || idle.at(-1)?.client.hasTenant(tenant)) {
      return;
    }
    const exact = idle.findLastIndex(({ client }) => client.hasTenant(tenant));
    const place = exact < 0 ? idle.findLastIndex(({ client }) => client.hasRoleFor(tenant)) : exact;
    idle.push(...idle.splice(place < 0 ? idle.length : place, 1));
  }
}

function assignTenant(client: pg.PoolClient, tenant: Tenant): pg.PoolClient {
  (client as unknown as TenantClient).tenant = tenant;
  return client;
}

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

  /** Also prepares the switch, before the connection is first handed out. */
  async switchTo(tenant: Tenant): Promise<void> {
    const values = tenantSettings(tenant);
    await super.query({ name: SET_TENANT_STATEMENT, text: SET_ROLE_SQL, values });
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
      await this.switchTo(tenant);
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
    const values = tenantSettings(this.#tenant);
    wire.bind({ portal: "", statement: SET_TENANT_STATEMENT, values });
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
