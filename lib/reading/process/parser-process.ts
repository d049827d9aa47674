import { Worker } from "node:worker_threads";
import type { ProcessSettings, TaskEnd, TaskHeader, ThreadTask } from "./process-messages";

// The main thread of a process that reads documents. A thread of its own does that, so that this one can always
// measure it, and notice that the parent is gone.

const STACK_MB = 4;
/** The heap’s limit as a share of that outside it, where a large PDF is several times: its bytes, and PDFium’s. */
const HEAP_SHARE = 0.4;
/**
 * Node gives a thread that reaches its heap limit 16 MB more to end in, and aborts the process beyond that. A scavenge
 * can promote a third of the young generation at once, so that must be less.
 */
const YOUNG_GENERATION_MB = 32;
/** How often a task's use is measured. */
const POLL_MS = 50;
/** Wall-clock limit as a multiple of the CPU limit. */
const WALL_CLOCK_FACTOR = 5;
/** A thread that hasn't started by then could not load its modules. */
const START_TIMEOUT_MS = 60_000;
const SLICE_BYTES = 1024 * 1024;
const MEGABYTE = 1024 * 1024;

const settings: ProcessSettings = JSON.parse(process.argv[2] ?? "");
const worker = new Worker(process.argv[1] ?? "", {
  workerData: settings.name,
  env: {},
  resourceLimits: {
    maxOldGenerationSizeMb: Math.ceil(settings.memoryMb * HEAP_SHARE),
    maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
    stackSizeMb: STACK_MB,
  },
});
const isLate = setTimeout(() => finish("failed", "The thread did not start."), START_TIMEOUT_MS);
const ready = Promise.withResolvers<void>();
let first = process.cpuUsage();
let incoming: { task: ThreadTask; left: Uint8Array[] } | undefined;
let timer: NodeJS.Timeout | undefined;

worker.on("message", (parts: Uint8Array[] | null) => {
  if (parts) {
    void reply(parts);
  } else {
    clearTimeout(isLate);
    ready.resolve();
  }
});
worker.on("error", (error) => {
  const isOutOfMemory = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
  void finish(isOutOfMemory ? "exceeded" : "failed", error.message);
});
// An exit would wait for the thread, which may be in native code.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
// Those of a terminal or a service manager are for the parent, which ends this process.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {});
}
process.on("message", (piece: TaskHeader | Uint8Array) => {
  if (piece instanceof Uint8Array) {
    append(piece);
  } else {
    const files = piece.sizes.map((size) => new Uint8Array(size));
    incoming = {
      task: { message: piece.message, files },
      left: files.filter(({ length }) => length > 0),
    };
  }
  if (incoming?.left.length === 0) {
    void run(incoming.task);
  }
});

function append(slice: Uint8Array): void {
  const [file, ...others] = incoming?.left ?? [];
  if (incoming && file) {
    file.set(slice);
    const rest = file.subarray(slice.length);
    incoming.left = rest.length > 0 ? [rest, ...others] : others;
  }
}

async function run(task: ThreadTask): Promise<void> {
  await ready.promise;
  first = process.cpuUsage();
  const startedAt = performance.now();
  worker.postMessage(
    task,
    task.files.map(({ buffer }) => buffer),
  );
  timer = setInterval(() => void measure(performance.now() - startedAt), POLL_MS);
}

async function reply(parts: Uint8Array[]): Promise<void> {
  clearInterval(timer);
  timer = undefined;
  for (const part of parts) {
    for (let at = 0; at < part.length; at += SLICE_BYTES) {
      await send(part.subarray(at, at + SLICE_BYTES));
    }
  }
  await send({ state: "answered", cpuMs: cpuMs(), sizes: parts.map(({ length }) => length) });
}

/** Ends the process when a task exceeds its time, or its memory outside the heap, which V8's limits don't cover. */
async function measure(elapsedMs: number): Promise<void> {
  const { timeoutMs, memoryMb } = settings;
  if (cpuMs() >= timeoutMs || elapsedMs > timeoutMs * WALL_CLOCK_FACTOR) {
    return finish("exceeded");
  }
  const measured = timer;
  // Rejects once the thread has ended, which is reported by its error.
  const heap = await worker.getHeapStatistics().catch(() => null);
  if (timer === measured && heap && heap.external_memory > memoryMb * MEGABYTE) {
    await finish("exceeded");
  }
}

async function finish(state: TaskEnd["state"], message?: string): Promise<void> {
  await send({ state, cpuMs: cpuMs(), ...(message && { message }) });
  process.exit();
}

/** CPU time, so that a busy machine fails no document. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage(first);
  return Math.min(Math.ceil((user + system) / 1000), settings.timeoutMs);
}

function send(piece: Uint8Array | TaskEnd): Promise<void> {
  return new Promise((resolve) => process.send?.(piece, () => resolve()));
}
