import { AsyncLocalStorage } from "node:async_hooks";
import { env } from "@/lib/env";

// How long statements on a server may take: those of requests have a limit, what runs beside them has none.

const shared = globalThis as typeof globalThis & {
  footnoteUnhurried?: AsyncLocalStorage<true>;
  footnoteIsHurried?: boolean;
};
// One for both copies of lib in a process.
shared.footnoteUnhurried ??= new AsyncLocalStorage();
const unhurriedWork = shared.footnoteUnhurried;

/** For a process that answers requests: from now on a statement fails when a request would have waited too long. */
export function hurry(): void {
  shared.footnoteIsHurried = true;
}

/** What `work` begins takes its time, on connections of its own: a document's index may be written for minutes. */
export function unhurried<T>(work: () => T): T {
  return unhurriedWork.run(true, work);
}

/** Whether this is such work, in a process that answers requests as well. */
export function isBesideRequests(): boolean {
  return Boolean(shared.footnoteIsHurried && unhurriedWork.getStore());
}

/** `waitMs`: for a connection. `statementMs`: 0 for as long as it takes. */
export interface Connections {
  size: number;
  waitMs: number;
  statementMs: number;
}

const PATIENT: Connections = { size: env.DATABASE_POOL_SIZE, waitMs: 5000, statementMs: 0 };
const HURRIED: Connections = { ...PATIENT, waitMs: 3000, statementMs: env.DATABASE_TIMEOUT_MS };
/** One for each job, and a few for the queue and the sweeps. */
const BACKGROUND: Connections = { ...PATIENT, size: env.JOB_CONCURRENCY + 3 };

export function connectionsFor(isBeside: boolean): Connections {
  if (isBeside) {
    return BACKGROUND;
  }
  return shared.footnoteIsHurried ? HURRIED : PATIENT;
}

/** The server gives a statement up by itself; a connection that died unheard is given up a little later. */
const UNHEARD_MS = 500;

/** A limit as pg's pool and as a session of the server know it. */
export function limitOf(statementMs: number): { ofPool: object; ofSession: string } {
  return statementMs > 0
    ? {
        ofPool: { query_timeout: statementMs + UNHEARD_MS },
        ofSession: `; SET statement_timeout = ${statementMs}`,
      }
    : { ofPool: {}, ofSession: "" };
}
