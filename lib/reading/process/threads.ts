import { serialize } from "node:v8";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { toParts } from "../parse/answer-parts";
import type { TaskName, ThreadTask } from "./process-messages";

// What processes and threads that read documents load. Each loads the modules of its own task alone.

const TASKS = {
  read: async () => (await import("../parse/read-file")).readMessage,
  paint: async () => (await import("../pdf/paint-page")).paintPage,
  recognize: async () => (await import("../ocr/recognize-page")).recognizePage,
} satisfies Record<TaskName, () => Promise<unknown>>;

if (isMainThread) {
  await import("./parser-process");
} else if (workerData === "receive") {
  (await import("../receive/form-thread")).serveUploads();
} else {
  await serve(workerData);
}

/** Answers a process's tasks, one at a time, after a first message that says that it is ready. */
async function serve(name: TaskName): Promise<void> {
  const run = (await TASKS[name]()) as (message: object, files: Uint8Array[]) => Promise<object>;
  parentPort?.on("message", async ({ message, files }: ThreadTask) => {
    const parts = toParts(await run(message, files)).map((part) => serialize(part));
    parentPort?.postMessage(
      parts,
      parts.map(({ buffer }) => buffer as ArrayBuffer),
    );
  });
  parentPort?.postMessage(null);
}
