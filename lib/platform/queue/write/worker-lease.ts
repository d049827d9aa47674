import "server-only";

import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { LOCKS } from "@/lib/platform/db/advisory-lock";
import { query } from "@/lib/platform/db/client";
import { directDatabaseUrl } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";

const RECONNECT_MS = 1000;
const MAX_WORKER = 2 ** 31;
const LOCK = "SELECT pg_try_advisory_lock($1, $2) AS is_locked";

/** Proof to other processes that this worker is alive. */
export interface WorkerLease {
  /** Stored with the jobs the worker runs. */
  worker: number;
  release(): Promise<void>;
}

/** A SQL condition: whether the worker in `column` holds its lease. */
export function isWorkerAlive(column: string): string {
  return `EXISTS (SELECT 1 FROM pg_locks l
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND l.classid = ${LOCKS.worker} AND l.objid::int8 = ${column})`;
}

/**
 * Announces this process as a worker with an advisory lock. The database releases it when the process dies, so
 * others can take over its jobs at once. On a server the lock has its own connection.
 */
export async function acquireWorkerLease(): Promise<WorkerLease> {
  const worker = randomInt(1, MAX_WORKER);
  if (directDatabaseUrl) {
    return acquireOnServer(worker, directDatabaseUrl);
  }
  await query("jobs_acquire_lease", LOCK, [LOCKS.worker, worker]);
  return {
    worker,
    release: async () => {
      const unlock = "SELECT pg_advisory_unlock($1, $2)";
      await query("jobs_release_lease", unlock, [LOCKS.worker, worker]);
    },
  };
}

async function acquireOnServer(worker: number, connectionString: string): Promise<WorkerLease> {
  let current: pg.Client | null = null;
  let isReleased = false;
  const acquire = async () => {
    const client = new pg.Client({
      connectionString,
      application_name: "footnote-worker",
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    client.on("error", (cause) => log.error({ err: cause }, "worker lease connection failed"));
    await client.connect();
    const { rows } = await client.query<{ is_locked: boolean }>(LOCK, [LOCKS.worker, worker]);
    if (!rows[0]?.is_locked) {
      await client.end();
      throw new Error("The server still holds the worker's lock for its lost connection.");
    }
    client.once("end", () => reacquire());
    current = client;
  };
  // In the meantime other workers may take over this worker's jobs. Whatever it then writes for them is ignored.
  const reacquire = async () => {
    current = null;
    while (!isReleased && !current) {
      await sleep(RECONNECT_MS, null, { ref: false });
      await acquire().catch((cause: unknown) =>
        log.error({ err: cause }, "worker lease connection could not be restored"),
      );
    }
  };
  await acquire();
  return {
    worker,
    release: async () => {
      isReleased = true;
      await current?.end();
    },
  };
}
