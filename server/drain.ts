import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { abortInFlight, beginDraining } from "@/lib/platform/http/shutdown";
import { log } from "@/lib/platform/log";

/** Keep-alive connections become idle as their streams end. */
const IDLE_MS = 100;
/** Time for aborted requests to answer their clients and settle. */
const ABORT_MS = 3000;

interface Drain {
  /** How long new requests are still accepted. */
  delayMs: number;
  /** How long requests in flight may take, including the delay. */
  graceMs: number;
  /** Resolves when no request is running and no hold is open. */
  settled: () => Promise<unknown>;
}

/** Shuts down: fails health checks, stops listening, then waits for requests in flight. */
export async function drain(server: Server, { delayMs, graceMs, settled }: Drain): Promise<void> {
  const deadline = Date.now() + graceMs;
  beginDraining();
  await sleep(Math.min(delayMs, graceMs));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS);
  const ended = closed.then(settled);
  if (!(await isWithin(deadline - Date.now(), ended))) {
    log.warn({ requests: abortInFlight() }, "shutdown grace period over: aborting requests");
    await isWithin(ABORT_MS, ended);
    server.closeAllConnections();
  }
  clearInterval(idle);
}

/** Whether `work` ends in time. */
async function isWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = new AbortController();
  const { signal } = late;
  const inTime = await Promise.race([
    work.then(() => true),
    sleep(Math.max(0, ms), false, { signal }).catch(() => false),
  ]);
  late.abort();
  return inTime;
}
