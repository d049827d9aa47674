import "server-only";

import type { Duplex } from "node:stream";
import pg from "pg";
import { directDatabaseUrl, env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { RowSecurity } from "./row-security";
import { TenantPool } from "./tenant-pool";
import { connectionOptions } from "./timeouts";

/**
 * pgvector's index returns at most ef_search rows (40 by default) unless it scans iteratively; searches ask for 50
 * or more, and filters drop some. JIT compilation takes longer than any search.
 */
const SESSION_SETTINGS =
  "SET hnsw.ef_search = 200; SET hnsw.iterative_scan = relaxed_order; SET jit = off";

/** The server cancels a statement itself; the client drops a dead connection a little later. */
const DEAD_CONNECTION_GRACE_MS = 500;

/** A pool of connections to a server, with the limits of this process's kind of work. */
export function openServerPool(connectionString: string | undefined): pg.Pool {
  const { size, waitMs, statementMs } = connectionOptions();
  const isPooler = connectionString === env.DATABASE_URL && connectionString !== directDatabaseUrl;
  const limit = statementMs > 0 ? `; SET statement_timeout = ${statementMs}` : "";
  return openPool({
    connectionString,
    max: size,
    connectionTimeoutMillis: waitMs,
    ...(statementMs > 0 && { query_timeout: statementMs + DEAD_CONNECTION_GRACE_MS }),
    application_name: "footnote",
    keepAlive: true,
    // Not in the pool's `options`: the connection string's would override them.
    onConnect: async (client) => {
      // A pooler would leave them on whichever connection it uses now: it has to set them itself.
      if (!isPooler) {
        await client.query(SESSION_SETTINGS + limit);
      }
    },
  });
}

/** The embedded database's one connection, which waits without a limit: there is no network to lose it on. */
export function openEmbeddedPool(stream: () => Duplex): pg.Pool {
  return openPool({
    // It has every method of a socket that pg calls.
    stream: stream as () => never,
    user: "postgres",
    ssl: false,
    max: 1,
    idleTimeoutMillis: 0,
    onConnect: async (client) => {
      await client.query(SESSION_SETTINGS);
    },
  });
}

function openPool(config: pg.PoolConfig): pg.Pool {
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid, format) =>
      oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format),
  };
  const pool = new TenantPool({ ...config, types }, new RowSecurity());
  // Without a listener, an idle connection closed by the server would crash the process.
  pool.on("error", (cause) => log.error({ err: cause }, "idle database connection failed"));
  return pool;
}
