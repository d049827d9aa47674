import "server-only";

import type { PGlite } from "@electric-sql/pglite";
import { type QueryFn, type RowSecurity, SET_ROLE_SQL, tenantSettings } from "./row-security";
import { currentTenant, type Tenant } from "./tenant-context";

/** The embedded database's one connection, set for whoever has it: one statement or transaction at a time. */
export class TenantPGlite {
  /** For whom it is set. */
  tenant: Tenant = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly pglite: PGlite,
    readonly rowSecurity: RowSecurity,
  ) {}

  query: PGlite["query"] = (...statement) => this.#alone(() => this.pglite.query(...statement));
  exec: PGlite["exec"] = (...script) => this.#alone(() => this.pglite.exec(...script));
  transaction: PGlite["transaction"] = (work) => this.#alone(() => this.pglite.transaction(work));

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const tenant = currentTenant();
    const run = this.#last.then(async () => {
      await this.#setFor(tenant);
      return work();
    });
    this.#last = run.catch(() => {});
    return run;
  }

  async #setFor(tenant: Tenant): Promise<void> {
    const ask: QueryFn = (text, values) => this.pglite.query(text, values);
    if (this.tenant !== tenant && (await this.rowSecurity.detect(ask))) {
      await ask(SET_ROLE_SQL, tenantSettings(tenant));
      this.tenant = tenant;
    }
  }
}
