import "server-only";

import { AsyncLocalStorage } from "node:async_hooks";
import { cache } from "react";
import { processSingleton } from "@/lib/singleton";

/** The account whose rows statements may see, or null for the product itself. */
export type Tenant = string | null;

const tenants = processSingleton("tenants", () => new AsyncLocalStorage<Tenant>());

/** React calls a page's components itself, outside our async context, and caches one of these per render. */
const page = cache((): { tenant: Tenant } => ({ tenant: null }));

/** Every statement that `work` runs sees and changes only this account's rows. */
export function asTenant<T>(accountId: string, work: () => T): T {
  return tenants.run(accountId, work);
}

/** Every statement that `work` runs has access to all accounts. */
export function asSystem<T>(work: () => T): T {
  return tenants.run(null, work);
}

/** Sets the account for the rest of the page being rendered. */
export function renderWithTenant(accountId: string): void {
  page().tenant = accountId;
}

export function currentTenant(): Tenant {
  const tenant = tenants.getStore();
  return tenant === undefined ? page().tenant : tenant;
}

/** Puts the page's tenant into the async context: React's cache isn't visible from other bundles. */
export function runAsTenant<T>(work: () => T): T {
  return tenants.getStore() === undefined ? tenants.run(page().tenant, work) : work();
}
