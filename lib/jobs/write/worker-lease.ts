import "server-only";

import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { LOCKS } from "@/lib/db/advisory-lock";
import { query } from "@/lib/db/client";
import { env } from "@/lib/env";
import { log } from "@/lib/log";

const RECONNECT_MS = 1000;
const LARGEST_NUMBER = 2 ** 31;
const TAKE = "SELECT pg_try_advisory_lock($1, $2) AS is_taken";

/** A worker that the others see as alive. */
export interface WorkerLease {
  /** What it writes beside the jobs it works on. */
  worker: number;
  release(): Promise<void>;
}

/**
 * Makes this process known as a worker, by an advisory lock that the database itself frees when the
 * process dies, so that others take its jobs over at once. On the embedded database the session is the
 * process; on a server it is a connection of its own.
 */
export async function acquireWorkerLease(): Promise<WorkerLease> {
  const worker = randomInt(1, LARGEST_NUMBER);
  if (env.DATABASE_URL) {
    return enterServer(worker, env.DATABASE_URL);
  }
  await query("documents_lock_worker", TAKE, [LOCKS.worker, worker]);
  return {
    worker,
    release: async () => {
      await query("documents_unlock_worker", "SELECT pg_advisory_unlock($1, $2)", [
        LOCKS.worker,
        worker,
      ]);
    },
  };
}

async function enterServer(worker: number, connectionString: string): Promise<WorkerLease> {
  const held: { client: pg.Client | null; hasLeft: boolean } = { client: null, hasLeft: false };
  const take = async () => {
    const client = new pg.Client({
      connectionString,
      application_name: "footnote-worker",
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    client.on("error", (cause) => log.error({ err: cause }, "the worker's own connection failed"));
    await client.connect();
    const { rows } = await client.query<{ is_taken: boolean }>(TAKE, [LOCKS.worker, worker]);
    if (!rows[0]?.is_taken) {
      await client.end();
      throw new Error("the server still keeps the worker's lock for a connection that is gone");
    }
    client.once("end", () => retake());
    held.client = client;
  };
  // Until it is back, others may take this worker's jobs over; what it then writes of them is void.
  const retake = async () => {
    held.client = null;
    while (!held.hasLeft && !held.client) {
      await sleep(RECONNECT_MS, null, { ref: false });
      await take().catch((cause: unknown) =>
        log.error({ err: cause }, "the worker's own connection did not come back"),
      );
    }
  };
  await take();
  return {
    worker,
    release: async () => {
      held.hasLeft = true;
      await held.client?.end();
    },
  };
}
