import { AsyncLocalStorage } from "node:async_hooks";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/singleton";

// How long statements on a server may take: those of requests have a limit, what runs beside them has none.

const timeouts = processSingleton("statement timeouts", () => ({
  isLimited: false,
  backgroundWork: new AsyncLocalStorage<true>(),
}));
const { backgroundWork } = timeouts;

/** For a process that answers requests: from now on a statement fails when a request would have waited too long. */
export function withStatementTimeout(): void {
  timeouts.isLimited = true;
}

/** What `work` begins takes its time, on connections of its own: a document's index may be written for minutes. */
export function withoutStatementTimeout<T>(work: () => T): T {
  return backgroundWork.run(true, work);
}

/** Whether this is such work, in a process that answers requests as well. */
export function isBackgroundWork(): boolean {
  return timeouts.isLimited && backgroundWork.getStore() === true;
}

/** `waitMs`: for a connection. `statementMs`: 0 for as long as it takes. */
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
/** One for each job, and a few for the queue and the sweeps. */
const BACKGROUND: ConnectionOptions = { ...UNLIMITED, size: env.JOB_CONCURRENCY + 3 };

export function connectionsFor(isBeside: boolean): ConnectionOptions {
  if (isBeside) {
    return BACKGROUND;
  }
  return timeouts.isLimited ? LIMITED : UNLIMITED;
}

/** The server gives a statement up by itself; a connection that died unheard is given up a little later. */
const DEAD_CONNECTION_GRACE_MS = 500;

/** A limit as pg's pool and as a session of the server know it. */
export function statementTimeout(statementMs: number): { ofPool: object; ofSession: string } {
  return statementMs > 0
    ? {
        ofPool: { query_timeout: statementMs + DEAD_CONNECTION_GRACE_MS },
        ofSession: `; SET statement_timeout = ${statementMs}`,
      }
    : { ofPool: {}, ofSession: "" };
}
