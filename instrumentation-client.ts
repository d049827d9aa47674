// Before any schema is used: zod compiles schemas with eval, which the pages' CSP forbids.
const shared = globalThis as typeof globalThis & { __zod_globalConfig?: { jitless?: boolean } };
shared.__zod_globalConfig = { ...shared.__zod_globalConfig, jitless: true };
