import { MessageChannel, Worker } from "node:worker_threads";
import { log } from "@/lib/platform/log";
import { processSingleton } from "@/lib/singleton";
import { workerFile } from "../processes/worker-file";

const started = processSingleton("upload thread", (): { worker?: Worker } => ({}));

/**
 * Opens a task of the thread that reads large uploads. It replies to each chunk, and to null, which ends it. One chunk
 * at a time: what the thread hasn't read, this process hasn't either. `close` ends a task early.
 */
export function openTask<Reply extends object>(message: object) {
  const { port1: port, port2 } = new MessageChannel();
  const waiting = { resolve: (_: Reply) => {}, reject: (_: unknown) => {} };
  let isClosed = false;
  uploadThread().postMessage({ ...message, port: port2 }, [port2]);
  port.on("message", (reply: Reply | Error) =>
    reply instanceof Error ? waiting.reject(reply) : waiting.resolve(reply),
  );
  port.on("close", () => {
    isClosed = true;
    waiting.reject(new Error("The upload thread ended."));
  });

  function ask(chunk: Uint8Array | null): Promise<Reply> {
    // A chunk may be part of a larger buffer, and others may read it: only a copy can be given away.
    const copy = chunk && new Uint8Array(chunk);
    return new Promise<Reply>((resolve, reject) => {
      Object.assign(waiting, { resolve, reject });
      if (isClosed) {
        reject(new Error("The upload thread ended."));
      }
      port.postMessage(copy, copy ? [copy.buffer] : []);
    });
  }

  return { ask, close: () => port.close() };
}

/**
 * One thread for all uploads of the process: what it does is fast, and their number is bounded. It opens no file: it
 * holds a chunk and a slice of each, and fields of bounded size, so that it needs no limit on its memory.
 */
function uploadThread(): Worker {
  if (!started.worker) {
    const worker = new Worker(workerFile(), { workerData: "receive", execArgv: [], env: {} });
    worker.on("error", (cause) => log.error({ err: cause }, "upload thread failed"));
    worker.on("exit", () => {
      if (started.worker === worker) {
        delete started.worker;
      }
    });
    // The port of each task keeps the process running.
    worker.unref();
    started.worker = worker;
  }
  return started.worker;
}

/** Ends the thread. The next large upload starts another. */
export async function closeUploadThread(): Promise<void> {
  const { worker } = started;
  delete started.worker;
  await worker?.terminate();
}
