import type { Piscina } from "piscina";
import { DocumentError } from "../document-error";

/** Bounds of one task. */
export interface TaskLimits {
  memoryMb: number;
  timeoutMs: number;
}

const POLL_MS = 50;
/** A worker that has not begun by then never will: its modules could not be loaded. */
const START_TIMEOUT_MS = 60_000;
const MEGABYTE = 1024 * 1024;

/** A worker may wait for its turn at the processor, but not forever. */
const LONGEST_WAIT = 5;

/**
 * Aborts `signal` when a task takes too much time, or too much memory outside the heap, which Node's own
 * resource limits leave out. The time is the processor's, so that a busy machine fails no document; it
 * runs from the moment that the worker puts its thread's id into `begun`. While it watches, the process
 * stays alive.
 */
export function startWatchdog(
  pool: Piscina,
  begun: SharedArrayBuffer,
  { timeoutMs, memoryMb }: TaskLimits,
): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const threads = new Int32Array(begun);
  const createdAt = performance.now();
  let first: { at: number; cpuMs: number } | null = null;

  async function look(): Promise<void> {
    const threadId = Atomics.load(threads, 0);
    if (threadId === 0) {
      abortIfStartTimedOut(controller, performance.now() - createdAt);
      return;
    }
    const worker = pool.threads.find((thread) => thread.threadId === threadId);
    const used = worker && (await usageOf(worker));
    if (!used) {
      return;
    }
    first ??= { at: performance.now(), cpuMs: used.cpuMs };
    const isLate =
      used.cpuMs - first.cpuMs > timeoutMs ||
      performance.now() - first.at > timeoutMs * LONGEST_WAIT;
    if (isLate || used.externalBytes > memoryMb * MEGABYTE) {
      controller.abort(new DocumentError("too_complex"));
    }
  }

  const timer = setInterval(() => void look(), POLL_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

function abortIfStartTimedOut(controller: AbortController, waitedMs: number): void {
  if (waitedMs > START_TIMEOUT_MS) {
    controller.abort(new Error("The document reader did not start."));
  }
}

interface Usage {
  cpuMs: number;
  /** Bytes outside the heap: buffers above all. */
  externalBytes: number;
}

/** What a worker uses; null once it has ended. */
async function usageOf(worker: Piscina["threads"][number]): Promise<Usage | null> {
  try {
    const [cpu, heap] = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()]);
    return { cpuMs: (cpu.user + cpu.system) / 1000, externalBytes: heap.external_memory };
  } catch {
    return null;
  }
}
