// Before any schema is used: zod would try to compile it by evaluating text, which the policy of every page forbids.
const shared = globalThis as typeof globalThis & { __zod_globalConfig?: { jitless?: boolean } };
shared.__zod_globalConfig = { ...shared.__zod_globalConfig, jitless: true };
