import "server-only";

import pg from "pg";
import { env } from "@/lib/env";
import type { RowSecurity } from "./row-security";
import { TenantClient } from "./tenant-client";
import { currentTenant, type Tenant } from "./tenant-context";

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool whose connections switch to the current tenant on checkout. */
export class TenantPool extends pg.Pool {
  constructor(config: pg.PoolConfig, rowSecurity: RowSecurity) {
    super({
      ...config,
      Client: class extends TenantClient {
        constructor(options?: pg.ClientConfig) {
          super(options, rowSecurity);
        }
      },
      onConnect: async (client) => {
        await config.onConnect?.(client);
        if (env.ROW_SECURITY) {
          await (client as TenantClient).prepareTenantSwitch();
        }
      },
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | undefined {
    // Read now: the connection may arrive in another request's async context.
    const tenant = currentTenant();
    this.preferConnectionOf(tenant);
    if (!callback) {
      return super.connect().then((client) => assignTenant(client, tenant));
    }
    super.connect((error, client, done) =>
      callback(error, client && assignTenant(client, tenant), done),
    );
    return undefined;
  }

  /** Moves the idle connection that needs the least switching to where the pool takes the next one. */
  private preferConnectionOf(tenant: Tenant): void {
    const { _idle: idle } = this as unknown as { _idle?: { client: TenantClient }[] };
    if (!idle || idle.length < 2 || idle.at(-1)?.client.hasTenant(tenant)) {
      return;
    }
    const exact = idle.findLastIndex(({ client }) => client.hasTenant(tenant));
    const place = exact < 0 ? idle.findLastIndex(({ client }) => client.hasRoleFor(tenant)) : exact;
    idle.push(...idle.splice(place < 0 ? idle.length : place, 1));
  }
}

function assignTenant(client: pg.PoolClient, tenant: Tenant): pg.PoolClient {
  (client as unknown as TenantClient).tenant = tenant;
  return client;
}
