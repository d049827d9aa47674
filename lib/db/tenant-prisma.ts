import "server-only";

import type { PrismaClient } from "@/lib/generated/prisma/client";
import { asTenant, currentTenant } from "./tenant-context";

const extended = new WeakMap<PrismaClient, PrismaClient>();

/** Prisma's client for tenants, each statement for the one who asks. */
export function withTenantScope(prisma: PrismaClient): PrismaClient {
  const known = extended.get(prisma) ?? extend(prisma);
  extended.set(prisma, known);
  return known;
}

/** Prisma makes one statement of all `findUnique` of a turn, whosever they are: there is none for tenants. */
function extend(prisma: PrismaClient): PrismaClient {
  const client = prisma.$extends({
    query: {
      $allOperations: ({ operation, args, query }) => {
        const tenant = currentTenant();
        if (tenant === null) {
          return query(args);
        }
        if (operation.startsWith("findUnique")) {
          throw new Error(`${operation} would be batched over tenants: use findFirst`);
        }
        // Said outright: what asks on may be of another bundle, which knows no page.
        return asTenant(tenant, async () => await query(args));
      },
    },
  });
  return client as unknown as PrismaClient;
}
