import { monitorEventLoopDelay } from "node:perf_hooks";
import { batcherStats } from "@/lib/db/batcher";
import { embeddedDataDir } from "@/lib/env";

const WINDOW_MS = 500;
const SAMPLE_MS = 50;
const RESOLUTION_MS = 20;
/** A loop half of whose turns are this long in two windows in a row has more to do than it can; one long turn is none. */
const LATE_MS = 250;
/** In each of the few lanes that a request passes it may wait so long: about a second in all. */
const WAIT_SECONDS = 1 / 4;
/** What a few clients bring at once is no queue. */
const LEAST_QUEUE = 128;

/**
 * Tells a queue that stands from a burst that goes away: what counts is the least that waited in a window. While
 * it stands, as many may wait as are done within the wait that is bearable.
 */
export class Queue {
  #least = Number.POSITIVE_INFINITY;
  #doneBefore = 0;
  #most = Number.POSITIVE_INFINITY;

  sample(waiting: number): void {
    this.#least = Math.min(this.#least, waiting);
  }

  /** `done`: in all, so far. */
  endWindow(done: number, seconds: number): void {
    const perSecond = (done - this.#doneBefore) / seconds;
    const bearable = Math.max(LEAST_QUEUE, perSecond * WAIT_SECONDS);
    const stood = this.#most < Number.POSITIVE_INFINITY;
    this.#most =
      this.#least > (stood ? bearable / 2 : bearable) ? bearable : Number.POSITIVE_INFINITY;
    this.#least = Number.POSITIVE_INFINITY;
    this.#doneBefore = done;
  }

  isFull(waiting: number): boolean {
    return waiting >= this.#most;
  }
}

/** Watches the lanes and the event loop of this process. Says whether a request more would wait too long. */
export function watchLoad(): () => boolean {
  const queue = new Queue();
  setInterval(() => queue.sample(batcherStats().waiting), SAMPLE_MS).unref();
  const isLate = watchLoop();
  let endedAt = performance.now();
  setInterval(() => {
    const now = performance.now();
    queue.endWindow(batcherStats().done, (now - endedAt) / 1000);
    endedAt = now;
  }, WINDOW_MS).unref();
  return () => queue.isFull(batcherStats().waiting) || isLate();
}

/** The embedded database works on the loop itself, which is late then without being overloaded. */
function watchLoop(): () => boolean {
  if (embeddedDataDir) {
    return () => false;
  }
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let lateWindows = 0;
  setInterval(() => {
    const isLate = delay.percentile(50) / 1e6 - RESOLUTION_MS > LATE_MS;
    lateWindows = isLate ? lateWindows + 1 : 0;
    delay.reset();
  }, WINDOW_MS).unref();
  return () => lateWindows >= 2;
}
