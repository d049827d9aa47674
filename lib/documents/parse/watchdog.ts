import type { Piscina } from "piscina";
import { DocumentError } from "../document-error";

/** Limits on one task. */
export interface TaskLimits {
  memoryMb: number;
  timeoutMs: number;
}

const POLL_MS = 50;
/** A thread that hasn't started by then could not load its modules. */
const START_TIMEOUT_MS = 60_000;
const MEGABYTE = 1024 * 1024;

/** Wall-clock limit as a multiple of the CPU limit. */
const WALL_CLOCK_FACTOR = 5;

/**
 * Aborts `signal` when a task exceeds its CPU time or its memory outside the heap, which Node's resource limits don't
 * cover. CPU time, so that a busy machine fails no document. It counts from when the thread stores its id in `begun`.
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
      performance.now() - first.at > timeoutMs * WALL_CLOCK_FACTOR;
    if (isLate || used.externalBytes > memoryMb * MEGABYTE) {
      controller.abort(new DocumentError("too_complex"));
    }
  }

  const timer = setInterval(() => void look(), POLL_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

function abortIfStartTimedOut(controller: AbortController, waitedMs: number): void {
  if (waitedMs > START_TIMEOUT_MS) {
    controller.abort(new Error("The document parser did not start."));
  }
}

interface Usage {
  cpuMs: number;
  /** Bytes outside the heap, mostly buffers. */
  externalBytes: number;
}

/** Null once the thread has ended. */
async function usageOf(worker: Piscina["threads"][number]): Promise<Usage | null> {
  try {
    const [cpu, heap] = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()]);
    return { cpuMs: (cpu.user + cpu.system) / 1000, externalBytes: heap.external_memory };
  } catch {
    return null;
  }
}
