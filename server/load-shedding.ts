import { monitorEventLoopDelay } from "node:perf_hooks";
import { batcherStats } from "@/lib/platform/db/batcher";
import { embeddedDataDir } from "@/lib/platform/env";

const WINDOW_MS = 500;
const SAMPLE_MS = 50;
const RESOLUTION_MS = 20;
/** A median delay this long in two windows in a row means overload; one long turn doesn't. */
const MAX_LOOP_DELAY_MS = 250;
/** Acceptable wait per batcher; a request passes a few, about a second in all. */
const MAX_WAIT_SECONDS = 1 / 4;
/** A few clients' burst is not a queue. */
const MIN_QUEUE = 128;

/**
 * Distinguishes a standing queue from a burst by the shortest length within a window. While the queue stands, it may
 * only be as long as what completes within the acceptable wait.
 */
export class Queue {
  #shortest = Number.POSITIVE_INFINITY;
  #previouslyDone = 0;
  #limit = Number.POSITIVE_INFINITY;

  sample(waiting: number): void {
    this.#shortest = Math.min(this.#shortest, waiting);
  }

  /** `done`: total so far. */
  endWindow(done: number, seconds: number): void {
    const perSecond = (done - this.#previouslyDone) / seconds;
    const acceptable = Math.max(MIN_QUEUE, perSecond * MAX_WAIT_SECONDS);
    const wasStanding = this.#limit < Number.POSITIVE_INFINITY;
    this.#limit =
      this.#shortest > (wasStanding ? acceptable / 2 : acceptable)
        ? acceptable
        : Number.POSITIVE_INFINITY;
    this.#shortest = Number.POSITIVE_INFINITY;
    this.#previouslyDone = done;
  }

  isFull(waiting: number): boolean {
    return waiting >= this.#limit;
  }
}

/** Watches this process's batchers and event loop. The result says whether another request would wait too long. */
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

/** Not on the embedded database: it shares one machine with everything else, so a late loop doesn't mean too many requests. */
function watchLoop(): () => boolean {
  if (embeddedDataDir) {
    return () => false;
  }
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let lateWindows = 0;
  setInterval(() => {
    const isLate = delay.percentile(50) / 1e6 - RESOLUTION_MS > MAX_LOOP_DELAY_MS;
    lateWindows = isLate ? lateWindows + 1 : 0;
    delay.reset();
  }, WINDOW_MS).unref();
  return () => lateWindows >= 2;
}
