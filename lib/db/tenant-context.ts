import "server-only";

import { AsyncLocalStorage } from "node:async_hooks";
import { cache } from "react";
import { processSingleton } from "@/lib/singleton";

/** For whom statements run: an account, which the database then shows nothing else, or null for the product itself. */
export type Tenant = string | null;

const tenants = processSingleton("tenants", () => new AsyncLocalStorage<Tenant>());

/** A page is rendered by many functions that nothing of ours calls; React keeps one of these for each rendering. */
const page = cache((): { tenant: Tenant } => ({ tenant: null }));

/** Every statement that `work` leads to runs for this account, and sees and changes nothing of another one. */
export function asTenant<T>(accountId: string, work: () => T): T {
  return tenants.run(accountId, work);
}

/** Every statement that `work` leads to runs for the product itself, whoever asked for it. */
export function asSystem<T>(work: () => T): T {
  return tenants.run(null, work);
}

/** The rest of the page being rendered is for this account. */
export function renderWithTenant(accountId: string): void {
  page().tenant = accountId;
}

export function currentTenant(): Tenant {
  const tenant = tenants.getStore();
  return tenant === undefined ? page().tenant : tenant;
}

/** Runs `work` with its tenant said outright: the code that asks next may be of a bundle that knows no page. */
export function runAsTenant<T>(work: () => T): T {
  return tenants.getStore() === undefined ? tenants.run(page().tenant, work) : work();
}
