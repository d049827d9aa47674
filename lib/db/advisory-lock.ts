import "server-only";

import pg from "pg";
import { env } from "@/lib/env";
import { log } from "@/lib/log";

/** A connection of one's own on a server, outside any transaction; null on the embedded database. */
export type LockConnection = pg.Client | null;

/**
 * Runs `work` unless another process is at the same kind of work; null then. On a server the lock is held
 * by a connection of its own, which ends with the process; the embedded database has one process.
 */
export async function withAdvisoryLock<T>(
  lock: number,
  work: (connection: LockConnection) => Promise<T>,
): Promise<T | null> {
  if (!env.DATABASE_URL) {
    return work(null);
  }
  const client = new pg.Client({
    connectionString: env.DATABASE_URL,
    connectionTimeoutMillis: 5000,
    application_name: "footnote-upkeep",
  });
  client.on("error", (cause) => log.error({ err: cause }, "upkeep connection failed"));
  await client.connect();
  try {
    const { rows } = await client.query<{ is_mine: boolean }>(
      "SELECT pg_try_advisory_lock($1) AS is_mine",
      [lock],
    );
    return rows[0]?.is_mine ? await work(client) : null;
  } finally {
    await client.end();
  }
}
