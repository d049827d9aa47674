import { threadId } from "node:worker_threads";
import { DocumentError } from "../document-error";
import type { ReadAnswer, ReadLimits, ReadMessage, ReadTask } from "./pool";
import { readFile } from "./read-file";

/** The worker's side of the pool: faults are sent as data, because an error loses its class on the way. */
export async function readMessage(message: ReadMessage): Promise<ReadAnswer[]> {
  Atomics.store(new Int32Array(message.begun), 0, threadId);
  const answers: ReadAnswer[] = [];
  for (const task of message.tasks) {
    answers.push(await answerTo(task, message.limits));
  }
  return answers;
}

async function answerTo(task: ReadTask, limits: ReadLimits): Promise<ReadAnswer> {
  try {
    return { document: await readFile(task, limits) };
  } catch (thrown) {
    const fault = thrown instanceof RangeError ? new DocumentError("too_complex") : thrown;
    if (!(fault instanceof DocumentError)) {
      throw thrown;
    }
    return { fault: { code: fault.code, message: fault.message } };
  }
}
