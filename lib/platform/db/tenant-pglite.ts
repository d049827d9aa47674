import "server-only";

import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { PGlite } from "@electric-sql/pglite";
import { type QueryFn, type RowSecurity, tenantSettings } from "./row-security";
import { currentTenant, type Tenant } from "./tenant-context";

const SWITCH_SQL =
  "SELECT set_config('role', $1, false), set_config('footnote.account_id', $2, false)";

/** The embedded database's one connection: one statement or transaction at a time, each for its caller's tenant. */
export class TenantPGlite {
  tenant: Tenant = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly pglite: PGlite,
    readonly rowSecurity: RowSecurity,
  ) {}

  query: PGlite["query"] = (...statement) => this.#exclusive(() => this.pglite.query(...statement));
  exec: PGlite["exec"] = (...script) => this.#exclusive(() => this.pglite.exec(...script));
  transaction: PGlite["transaction"] = (work) =>
    this.#exclusive(() => this.pglite.transaction(work));

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const tenant = currentTenant();
    const result = this.#last.then(async () => {
      await this.#switchTo(tenant);
      return work();
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #switchTo(tenant: Tenant): Promise<void> {
    const run: QueryFn = (text, values) => this.pglite.query(text, values);
    if (this.tenant !== tenant && (await this.rowSecurity.detect(run))) {
      await run(SWITCH_SQL, tenantSettings(tenant));
      this.tenant = tenant;
    }
  }
}

/**
 * Two processes on one embedded database would corrupt it. SQLite's file lock belongs to the operating system, so it is
 * released however the process dies.
 */
export function lockDataDir(dataDir: string): DatabaseSync {
  mkdirSync(dataDir, { recursive: true });
  const lock = new DatabaseSync(path.join(path.dirname(dataDir), "lock"));
  try {
    lock.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
    return lock;
  } catch (cause) {
    lock.close();
    throw new Error(
      `Another Footnote process has the embedded database in ${dataDir} open. Stop it first, or set DATABASE_URL to share one PostgreSQL server between processes.`,
      { cause },
    );
  }
}
