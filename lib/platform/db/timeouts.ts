import { AsyncLocalStorage } from "node:async_hooks";
import { env } from "@/lib/platform/env";
import { processSingleton } from "@/lib/singleton";

// Statement timeout: set for requests, unlimited for background work.

const timeouts = processSingleton("statement timeouts", () => ({
  isLimited: false,
  backgroundWork: new AsyncLocalStorage<true>(),
}));
const { backgroundWork } = timeouts;

/** For a process that serves requests: statements fail after DATABASE_TIMEOUT_MS from now on. */
export function withStatementTimeout(): void {
  timeouts.isLimited = true;
}

/** Runs `work` without a timeout, on its own connections: writing a document's index can take minutes. */
export function withoutStatementTimeout<T>(work: () => T): T {
  return backgroundWork.run(true, work);
}

export function isBackgroundWork(): boolean {
  return timeouts.isLimited && backgroundWork.getStore() === true;
}

/** Options of a pool. `waitMs`: for a free connection. `statementMs`: 0 for no limit. */
export function connectionOptions(): { size: number; waitMs: number; statementMs: number } {
  if (isBackgroundWork()) {
    // One per job, and a few for the queue and the sweeps.
    return { size: env.JOB_CONCURRENCY + 3, waitMs: 5000, statementMs: 0 };
  }
  const size = env.DATABASE_POOL_SIZE;
  return timeouts.isLimited
    ? { size, waitMs: 3000, statementMs: env.DATABASE_TIMEOUT_MS }
    : { size, waitMs: 5000, statementMs: 0 };
}
