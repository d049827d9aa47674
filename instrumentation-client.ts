import { NAVIGATION_START } from "@/components/shell/navigation-start";

// Before any schema is used: zod compiles schemas with eval, which the pages' CSP forbids.
const shared = globalThis as typeof globalThis & { __zod_globalConfig?: { jitless?: boolean } };
shared.__zod_globalConfig = { ...shared.__zod_globalConfig, jitless: true };

/** Next calls it when another page begins to load, within the transition, whose updates wait for that page. */
export function onRouterTransitionStart(url: string): void {
  queueMicrotask(() => window.dispatchEvent(new CustomEvent(NAVIGATION_START, { detail: url })));
}
