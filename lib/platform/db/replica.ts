import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { log } from "@/lib/platform/log";
import { withCancellation } from "./transaction";

/** A replica is used while what it shows was true at most `maxStalenessMs` ago. */
const LIMITS = { maxStalenessMs: 5000, checkIntervalMs: 1000 };
/** Checking stops this long after the last statement. */
const IDLE_MS = 60_000;
/** The longest wait for one position. */
export const REPLICA_CHECK_MS = 2000;
const NEVER = Number.NEGATIVE_INFINITY;

/** Bytes of write-ahead log that a primary has written. */
export const WAL_POSITION = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::int8 AS position";
/** Bytes of it that a replica has replayed; null once it is no replica any more. */
const REPLAYED_POSITION =
  "SELECT CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::int8 END AS position";

export interface Replica {
  /** Null if the replica is too far behind or failed: ask the primary. Throws the signal's reason if it aborts. */
  query<T extends Record<string, unknown>>(
    signal: AbortSignal,
    name: string,
    text: string,
    values?: unknown[],
  ): Promise<T[] | null>;
  close(): Promise<void>;
}

/**
 * Reads from a streaming replica. Every second, while it is used, the primary's position in the log is noted, and a
 * replica that has replayed up to it shows what was true at that time.
 */
export function openReplica(
  pool: pg.Pool,
  readPrimary: () => Promise<bigint>,
  { maxStalenessMs, checkIntervalMs } = LIMITS,
): Replica {
  /** Positions of the primary that the replica hasn't reached, oldest first. */
  let ahead: { at: number; position: bigint }[] = [];
  /** The last time whose commits the replica is known to have. */
  let trueAt = NEVER;
  let wasFresh = false;
  let usedAt = NEVER;
  let isChecking = false;
  let isClosed = false;

  const isFresh = () => performance.now() - trueAt <= maxStalenessMs;

  async function check(): Promise<void> {
    try {
      const at = performance.now();
      const position = await readPrimary();
      const replayed = await readReplayed(pool);
      ahead.push({ at, position });
      if (replayed === null) {
        trueAt = NEVER;
      } else {
        const reached = ahead.filter((mark) => mark.position <= replayed);
        trueAt = reached.at(-1)?.at ?? trueAt;
        ahead = ahead.slice(reached.length);
      }
    } catch (cause) {
      log.debug({ err: cause }, "replica check failed");
    }
    if (isFresh() !== wasFresh) {
      wasFresh = !wasFresh;
      log.info(
        wasFresh ? "searches use the replica" : "searches use the primary: no fresh replica",
      );
    }
  }

  async function checkWhileUsed(): Promise<void> {
    while (!isClosed && performance.now() - usedAt < IDLE_MS) {
      await check();
      await sleep(checkIntervalMs, undefined, { ref: false });
    }
    isChecking = false;
  }

  return {
    query: async (signal, ...[name, text, values]) => {
      usedAt = performance.now();
      if (!isChecking) {
        isChecking = true;
        void checkWhileUsed();
      }
      if (!isFresh()) {
        return null;
      }
      try {
        return await withCancellation(
          pool,
          signal,
          async (client) => (await client.query({ name, text, values })).rows,
        );
      } catch (cause) {
        signal.throwIfAborted();
        log.warn({ err: cause }, "a search on the replica failed");
        trueAt = NEVER;
        return null;
      }
    },
    close: async () => {
      isClosed = true;
      await pool.end();
    },
  };
}

async function readReplayed(pool: pg.Pool): Promise<bigint | null> {
  const statement = { text: REPLAYED_POSITION, query_timeout: REPLICA_CHECK_MS };
  const { rows } = await pool.query<{ position: bigint | null }>(statement);
  return rows[0]?.position ?? null;
}
