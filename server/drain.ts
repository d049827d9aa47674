import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { abortInFlight, beginDraining } from "@/lib/http/shutdown";
import { log } from "@/lib/log";

/** A stream that ends leaves its connection open for the next request; nobody is to send one. */
const IDLE_MS = 100;
/** How long requests that were cut have to tell their clients, and to be paid for. */
const CUT_MS = 3000;

interface Drain {
  /** From the call: how long new requests are still taken. */
  delayMs: number;
  /** From the call, the delay included: how long what has been begun may take. */
  graceMs: number;
  /** Resolves when no request is at work and none has money reserved. */
  settled: () => Promise<unknown>;
}

/** Brings a server to its end: traffic is turned away, then nothing new is taken, then what was begun ends. */
export async function drain(server: Server, { delayMs, graceMs, settled }: Drain): Promise<void> {
  const deadline = Date.now() + graceMs;
  beginDraining();
  await sleep(Math.min(delayMs, graceMs));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS);
  const ended = closed.then(settled);
  if (!(await isWithin(deadline - Date.now(), ended))) {
    log.warn({ requests: abortInFlight() }, "requests cut: the grace of the shutdown is over");
    await isWithin(CUT_MS, ended);
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
