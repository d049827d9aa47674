import { AsyncLocalStorage } from "node:async_hooks";
import { env } from "@/lib/env";
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

/** `waitMs`: for a free connection. `statementMs`: 0 for no limit. */
export interface ConnectionOptions {
  size: number;
  waitMs: number;
  statementMs: number;
}

const UNLIMITED: ConnectionOptions = { size: env.DATABASE_POOL_SIZE, waitMs: 5000, statementMs: 0 };
const LIMITED: ConnectionOptions = {
  ...UNLIMITED,
  waitMs: 3000,
  statementMs: env.DATABASE_TIMEOUT_MS,
};
/** One per job, and a few for the queue and the sweeps. */
const BACKGROUND: ConnectionOptions = { ...UNLIMITED, size: env.JOB_CONCURRENCY + 3 };

export function connectionsFor(isBackground: boolean): ConnectionOptions {
  if (isBackground) {
    return BACKGROUND;
  }
  return timeouts.isLimited ? LIMITED : UNLIMITED;
}

/** The server cancels the statement itself; the client drops a dead connection a little later. */
const DEAD_CONNECTION_GRACE_MS = 500;

/** The timeout as pool options and as session SQL. */
export function statementTimeout(statementMs: number): { ofPool: object; ofSession: string } {
  return statementMs > 0
    ? {
        ofPool: { query_timeout: statementMs + DEAD_CONNECTION_GRACE_MS },
        ofSession: `; SET statement_timeout = ${statementMs}`,
      }
    : { ofPool: {}, ofSession: "" };
}
