import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { processSingleton } from "@/lib/singleton";

/** What a process parses of all its uploads while others wait for its event loop. */
const BUSY_BYTES_PER_SECOND = 24 * 1024 * 1024;
/** The share of time that a busy event loop works. */
const BUSY_UTILIZATION = 0.7;
/** Utilization is measured over at least this long. */
const WINDOW_MS = 100;
/** For how long the loop counts as busy then: uploads that slow down leave it idle. */
const BUSY_MS = 2000;
/** Shorter waits are collected: a timer can't keep them. */
const LEAST_WAIT_MS = 5;

const pace = processSingleton("upload pace", () => createPace(watchEventLoop()));

/**
 * Waits until an upload may go on after `bytes` more were parsed. Parsing uses the event loop that answers everyone, so
 * while that is busy, uploads get a fixed rate together; otherwise they don't wait.
 */
export function paceUpload(bytes: number): Promise<void> {
  return pace(bytes);
}

/** `isBusy` is asked once per call. */
export function createPace(
  isBusy: () => boolean,
  { now = () => performance.now(), wait = (ms: number) => sleep(ms) } = {},
): (bytes: number) => Promise<void> {
  let freeAt = 0;
  return async (bytes) => {
    if (!isBusy()) {
      freeAt = 0;
      return;
    }
    freeAt = Math.max(freeAt, now()) + (1000 * bytes) / BUSY_BYTES_PER_SECOND;
    const waitMs = freeAt - now();
    if (waitMs >= LEAST_WAIT_MS) {
      await wait(waitMs);
    }
  };
}

function watchEventLoop(): () => boolean {
  let last = performance.eventLoopUtilization();
  let at = performance.now();
  let busyUntil = 0;
  return () => {
    const now = performance.now();
    if (now - at >= WINDOW_MS) {
      const next = performance.eventLoopUtilization();
      if (performance.eventLoopUtilization(next, last).utilization > BUSY_UTILIZATION) {
        busyUntil = now + BUSY_MS;
      }
      last = next;
      at = now;
    }
    return now < busyUntil;
  };
}
