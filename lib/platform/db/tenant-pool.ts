import "server-only";

import pg from "pg";
import { env } from "@/lib/platform/env";
import { type RowSecurity, tenantSettings } from "./row-security";
import { currentTenant, type Tenant } from "./tenant-context";

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool whose statements run for the tenant they were asked for in. */
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
          await (client as TenantClient).prepareSwitch();
        }
      },
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    // Read now: the connection may arrive in another request's async context.
    const tenant = currentTenant();
    if (!callback) {
      return super.connect().then((client) => assignTenant(client, tenant));
    }
    super.connect((error, client, done) =>
      callback(error, client && assignTenant(client, tenant), done),
    );
    return undefined;
  }
}

function assignTenant(client: pg.PoolClient, tenant: Tenant): pg.PoolClient {
  (client as unknown as TenantClient).tenant = tenant;
  return client;
}

type Callback = (error: Error | null, result?: pg.QueryResult) => void;
type Statement = [config: string | pg.QueryConfig, values?: unknown[]];

const IN_NO_TRANSACTION = "I";

/**
 * A pool connection. Each of a tenant's transactions begins with the switch to that tenant and ends it, so that nothing
 * about a tenant stays with a connection, and a pooler may give every transaction another one.
 */
export class TenantClient extends pg.Client {
  /** Set on checkout. */
  tenant: Tenant = null;

  constructor(
    config: pg.ClientConfig | undefined,
    readonly rowSecurity: RowSecurity,
  ) {
    super(config);
  }

  /** Before the connection is first handed out. */
  async prepareSwitch(): Promise<void> {
    await super.query({ name: SWITCH_NAME, text: SWITCH_SQL, values: tenantSettings(null) });
  }

  // All of pg's overloads.
  override query(...parts: never[]): never {
    const { tenant } = this;
    const isInTransaction = this.getTransactionStatus() !== IN_NO_TRANSACTION;
    if (tenant === null || this.rowSecurity.isEnabled === false || isInTransaction) {
      return super.query(...(parts as unknown as [pg.Submittable])) as never;
    }
    const [config, ...rest] = parts as unknown as [...Statement, Callback?];
    if (typeof config !== "string" && "submit" in config) {
      throw new Error("a stream must start inside a transaction, whose tenant is already set");
    }
    const values = rest.find((part): part is unknown[] => Array.isArray(part));
    const callback = rest.find((part): part is Callback => typeof part === "function");
    const result = this.#switchAndQuery(tenant, values ? [config, values] : [config]);
    if (callback) {
      result.then((found) => callback(null, found), callback);
    }
    return (callback ? undefined : result) as never;
  }

  async #switchAndQuery(tenant: string, [config, values]: Statement): Promise<pg.QueryResult> {
    if (!(await this.rowSecurity.detect((text) => super.query(text)))) {
      return super.query(config, values);
    }
    const query = new TenantQuery(tenant, config, values);
    return new Promise((resolve, reject) => {
      query.callback = (error, found) => (error || !found ? reject(error) : resolve(found));
      super.query(query);
    });
  }
}

const SWITCH_NAME = "set_tenant";
const SWITCH_SQL =
  "SELECT set_config('role', $1, true), set_config('footnote.account_id', $2, true)";

/** As text in front of a script, without a snapshot, which would fix the transaction's isolation. */
function switchScript(tenant: string): string {
  const [role, account] = tenantSettings(tenant).map(pg.escapeLiteral);
  return `SET LOCAL role = ${role}; SET LOCAL footnote.account_id = ${account}; `;
}

const SWITCH_SCRIPT_COMMANDS = 2;

/** The part of pg's connection that its types leave out. */
interface Wire {
  bind(portal: { portal: string; statement: string; values: readonly string[] }): void;
  execute(portal: { portal: string }): void;
}

interface PgQuery extends pg.Submittable {
  callback?: Callback;
  text: string;
  requiresPreparation(): boolean;
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}

const Query = pg.Query as unknown as new (
  ...statement: [string | pg.QueryConfig, unknown[]?]
) => PgQuery;

/**
 * Sends the tenant switch and a statement in one message, so that switching costs no round trip. Together they are one
 * transaction, which stays open if the statement is BEGIN; otherwise the switch ends with it.
 */
class TenantQuery extends Query {
  readonly #tenant: string;
  /** Commands of the switch that haven't completed. */
  #switching: number;
  /** pg reads it from here. */
  readonly query_timeout: number | undefined;

  constructor(tenant: string, config: string | pg.QueryConfig, values?: unknown[]) {
    super(config, values);
    this.#tenant = tenant;
    this.query_timeout =
      typeof config === "object" && "query_timeout" in config
        ? Number(config.query_timeout)
        : undefined;
    const isScript = !this.requiresPreparation();
    this.#switching = isScript ? SWITCH_SCRIPT_COMMANDS : 1;
    if (isScript) {
      this.text = switchScript(tenant) + this.text;
    }
  }

  override prepare(wire: Wire): void {
    wire.bind({ portal: "", statement: SWITCH_NAME, values: tenantSettings(this.#tenant) });
    wire.execute({ portal: "" });
    super.prepare(wire);
  }

  override handleDataRow(message: unknown): void {
    if (this.#switching === 0) {
      super.handleDataRow(message);
    }
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.#switching === 0) {
      super.handleCommandComplete(message, wire);
    } else {
      this.#switching -= 1;
    }
  }
}
