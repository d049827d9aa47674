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
