import "server-only";

import type { PGlite } from "@electric-sql/pglite";
import { type QueryFn, type RowSecurity, SET_ROLE_SQL, tenantSettings } from "./row-security";
import { currentTenant, type Tenant } from "./tenant-context";

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
      await run(SET_ROLE_SQL, tenantSettings(tenant));
      this.tenant = tenant;
    }
  }
}
