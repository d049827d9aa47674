import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/singleton";
import { threadOptions } from "../parse/pool";
import { workerFile } from "../parse/worker-file";

/** Of the thread's heap: its buffers are outside it. */
const THREAD_MEMORY_MB = 128;

const started = processSingleton("upload thread", (): { pool?: Piscina } => ({}));

/**
 * Opens a task of the thread that reads large uploads. It replies to each chunk, and to null, which ends it. One chunk
 * at a time: what the thread hasn't read, this process hasn't either. `close` ends a task early.
 */
export function openTask<Reply>(name: "receive" | "hash", message: object) {
  const { port1: port, port2 } = new MessageChannel();
  const waiting = { resolve: (_: Reply) => {}, reject: (_: unknown) => {} };
  let failure: unknown;
  uploadThread()
    .run({ ...message, port: port2 }, { name, transferList: [port2] })
    .catch((cause: unknown) => {
      failure = cause;
      waiting.reject(cause);
    });
  port.on("message", (reply: Reply) => waiting.resolve(reply));

  function ask(chunk: Uint8Array | null): Promise<Reply> {
    // A chunk may be part of a larger buffer, and others may read it: only a copy can be given away.
    const copy = chunk && new Uint8Array(chunk);
    return new Promise<Reply>((resolve, reject) => {
      Object.assign(waiting, { resolve, reject });
      if (failure !== undefined) {
        reject(failure);
      }
      port.postMessage(copy, copy ? [copy.buffer] : []);
    });
  }

  return { ask, close: () => port.close() };
}

/** One thread for all uploads of the process: what it does is fast, and their number is bounded. */
function uploadThread(): Piscina {
  if (!started.pool) {
    const limits = { threads: 1, memoryMb: THREAD_MEMORY_MB, timeoutMs: 0 };
    started.pool = new Piscina({
      ...threadOptions(limits, workerFile()),
      name: "receive",
      concurrentTasksPerWorker: env.MAX_CONCURRENT_UPLOADS,
    });
    started.pool.on("error", (cause) => log.error({ err: cause }, "upload thread failed"));
  }
  return started.pool;
}

/** Ends the thread. The next large upload starts another. */
export async function closeUploadThread(): Promise<void> {
  const { pool } = started;
  delete started.pool;
  await pool?.destroy();
}
