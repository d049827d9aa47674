import "server-only";

import pLimit from "p-limit";
import { AppError } from "@/lib/errors";
import { env } from "@/lib/platform/env";
import { processSingleton } from "@/lib/singleton";

/** With the search itself, this wait stays well below the deadline. */
const MAX_WAIT_MS = 1000;
/** The weight of the newest duration in the moving average. */
const NEWEST_WEIGHT = 0.1;

/** Queues searches in order, and rejects those that would wait too long: an overloaded database makes each one late. */
export function createSearchLimiter(concurrency: number) {
  const limit = pLimit(concurrency);
  let averageMs = 0;

  /** Throws retrieval_unavailable if a new search would wait too long. */
  function shedLoad(): void {
    if ((limit.pendingCount * averageMs) / concurrency > MAX_WAIT_MS) {
      throw new AppError(
        "retrieval_unavailable",
        "Too many searches are waiting. Wait a second and try again.",
        { headers: { "retry-after": "1" } },
      );
    }
  }

  /** Throws as `shedLoad`, and the signal's reason if it aborts before the work starts. */
  async function run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    shedLoad();
    return limit(async () => {
      signal.throwIfAborted();
      const startedAt = performance.now();
      try {
        return await work();
      } finally {
        averageMs += (performance.now() - startedAt - averageMs) * NEWEST_WEIGHT;
      }
    });
  }

  /** Whether any search waits, which is when visitors without an account should not add one. */
  const isCrowded = () => limit.pendingCount > 0;

  return { shedLoad, run, isCrowded };
}

/** Leaves two connections for holds, settlements and other short work. */
export const searchLimiter = processSingleton("search limiter", () =>
  createSearchLimiter(Math.max(1, env.DATABASE_POOL_SIZE - 2)),
);
