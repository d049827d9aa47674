const registry = globalThis as typeof globalThis & { footnoteSingletons?: Map<string, unknown> };

/**
 * The process's one value of this name, made on first use. Next.js bundles routes, pages and instrumentation apart,
 * and the server loads lib directly, so a module-level variable would exist several times.
 */
export function processSingleton<T>(name: string, make: () => T): T {
  registry.footnoteSingletons ??= new Map();
  const { footnoteSingletons: singletons } = registry;
  if (!singletons.has(name)) {
    singletons.set(name, make());
  }
  return singletons.get(name) as T;
}
