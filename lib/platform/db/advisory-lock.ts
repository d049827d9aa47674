import "server-only";

import pg from "pg";
import { directDatabaseUrl } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import type { Session } from "./client";

/** Every advisory lock number, in one place so that no two kinds of work share one. */
export const LOCKS = {
  /** Prisma's own number, so that `prisma migrate deploy` and `migrate` never run at once. */
  migration: 72_707_369,
  setup: 72_707_370,
  reindex: 72_707_371,
  vectorIndexes: 72_707_372,
  /** The first of two keys; the second is the worker's number. */
  worker: 72_707_373,
  calibration: 72_707_374,
} as const;

/** Locks an account's list until the transaction ends, so that concurrent requests can't exceed its limit. */
export async function lockList(
  tx: Session,
  list: "keys" | "presets" | "jobs" | "uploads" | "stores",
  accountId: string,
): Promise<void> {
  const statement = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
  await tx.query("lock_list", statement, [`${list} of ${accountId}`]);
}

/** A dedicated server connection, outside any transaction; null on the embedded database. */
export type LockConnection = pg.Client | null;

/**
 * Runs `work`, or returns null when another process holds the lock. A dedicated connection holds it, so it is
 * released when the process dies; the embedded database has one process and needs no lock.
 */
export async function withAdvisoryLock<T>(
  lock: keyof typeof LOCKS,
  work: (connection: LockConnection) => Promise<T>,
): Promise<T | null> {
  if (!directDatabaseUrl) {
    return work(null);
  }
  const client = new pg.Client({
    connectionString: directDatabaseUrl,
    connectionTimeoutMillis: 5000,
    application_name: "footnote-upkeep",
  });
  client.on("error", (cause) => log.error({ err: cause }, "upkeep connection failed"));
  await client.connect();
  try {
    const { rows } = await client.query<{ is_mine: boolean }>(
      "SELECT pg_try_advisory_lock($1) AS is_mine",
      [LOCKS[lock]],
    );
    return rows[0]?.is_mine ? await work(client) : null;
  } finally {
    await client.end();
  }
}
