import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/platform/log";

/** How long running tasks may delay shutdown. An index that is being built is left to the database. */
const STOP_GRACE_MS = 2000;

export interface Scheduler {
  readonly isStopped: boolean;
  /** Runs a task at an interval, never twice at the same time. */
  every(intervalMs: number, name: string, task: () => Promise<unknown>): void;
  /** Runs a task now. A failure is logged, and the result is then null. */
  run<T>(name: string, task: () => Promise<T>): Promise<T | null>;
  stop(): Promise<void>;
}

export function createScheduler(): Scheduler {
  const timers: NodeJS.Timeout[] = [];
  const running = new Map<string, Promise<unknown>>();
  let isStopped = false;

  async function run<T>(name: string, task: () => Promise<T>): Promise<T | null> {
    const result = task();
    running.set(name, result);
    try {
      return await result;
    } catch (cause) {
      log.error({ err: cause, task: name }, "scheduled task failed");
      return null;
    } finally {
      running.delete(name);
    }
  }

  return {
    get isStopped() {
      return isStopped;
    },
    every(intervalMs, name, task) {
      const start = () => (running.has(name) ? null : run(name, task));
      timers.push(setInterval(start, intervalMs).unref());
    },
    run,
    async stop() {
      isStopped = true;
      timers.forEach(clearInterval);
      const ended = Promise.allSettled(running.values());
      await Promise.race([ended, sleep(STOP_GRACE_MS, null, { ref: false })]);
    },
  };
}
