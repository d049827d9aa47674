import "server-only";

import type { PrismaClient } from "@/lib/generated/prisma/client";
import { asTenant, currentTenant } from "./tenant-context";

const extended = new WeakMap<PrismaClient, PrismaClient>();

/** Prisma's client with each operation bound to the current tenant. */
export function withTenantScope(prisma: PrismaClient): PrismaClient {
  const known = extended.get(prisma) ?? extend(prisma);
  extended.set(prisma, known);
  return known;
}

/** Prisma batches all `findUnique` calls of an event-loop turn across tenants, so tenants can't use it. */
function extend(prisma: PrismaClient): PrismaClient {
  const client = prisma.$extends({
    query: {
      $allOperations: ({ operation, args, query }) => {
        const tenant = currentTenant();
        if (tenant === null) {
          return query(args);
        }
        if (operation.startsWith("findUnique")) {
          throw new Error(`${operation} would be batched across tenants: use findFirst`);
        }
        // Prisma may continue in another bundle, where React's cache isn't visible.
        return asTenant(tenant, async () => await query(args));
      },
    },
  });
  return client as unknown as PrismaClient;
}

/** The server stores each per connection. Only statements with lists of any length could exceed this. */
const MAX_STATEMENTS = 200;

/**
 * Names Prisma's statements by their text, so that each connection prepares them once: row-level security makes
 * planning more expensive. Statements after the first 200 texts stay unnamed.
 */
export function createStatementNamer(): (statement: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    if (!names.has(sql) && names.size < MAX_STATEMENTS) {
      names.set(sql, `prisma_${names.size}`);
    }
    return names.get(sql) ?? "";
  };
}
