import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { contentLengthOf, readChunks } from "@/lib/http/read-body";
import { paceUpload } from "@/lib/limits/upload-pace";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/singleton";
import { threadOptions, workerFile } from "../parse/pool";
import { type FormLimits, FormParser, type ReceivedForm, SLICE_BYTES } from "./form-parser";
import type { FormReply } from "./form-thread";

/** Stores a slice of the file. Its bytes belong to the callee. */
export type StoreSlice = (slice: Uint8Array) => Promise<void>;

/** Of the thread's heap: its buffers are outside it. */
const THREAD_MEMORY_MB = 128;

const started = processSingleton("form thread", (): { pool?: Piscina } => ({}));

/**
 * Reads a multipart body with at most one file, and gives the file to `store` in slices while it arrives: the next
 * bytes are read when a slice is stored. A body that can have more than one slice is parsed and hashed in a thread.
 * Throws 400, 413, or what `store` throws.
 */
export async function receiveForm(
  request: Request,
  limits: FormLimits,
  store: StoreSlice,
): Promise<ReceivedForm> {
  const contentType = request.headers.get("content-type") ?? "";
  const length = contentLengthOf(request);
  if (length !== null && length <= SLICE_BYTES) {
    return receiveSmall(request, { ...limits, maxBytes: length }, contentType);
  }
  const thread = openForm(contentType, limits);
  try {
    for await (const chunk of readChunks(request, limits.maxBytes)) {
      for (const slice of (await thread.ask(chunk)).slices) {
        await store(slice);
      }
      await paceUpload(chunk.length);
    }
    const { form } = await thread.ask(null);
    if (!form) {
      throw new Error("The thread returned no form.");
    }
    return form;
  } finally {
    thread.close();
  }
}

async function receiveSmall(
  request: Request,
  limits: FormLimits,
  contentType: string,
): Promise<ReceivedForm> {
  const parser = new FormParser(contentType, limits, () => {
    throw new Error("A small form has a large file.");
  });
  for await (const chunk of readChunks(request, limits.maxBytes)) {
    await parser.write(chunk);
    await paceUpload(chunk.length);
  }
  return parser.end();
}

/** A form in the thread. One chunk at a time: what the thread hasn't parsed, this process hasn't read. */
function openForm(contentType: string, limits: FormLimits) {
  const { port1: port, port2 } = new MessageChannel();
  const message = { port: port2, contentType, limits };
  const waiting = { resolve: (_: FormReply) => {}, reject: (_: unknown) => {} };
  let failure: unknown;
  formPool()
    .run(message, { name: "receive", transferList: [port2] })
    .catch((cause: unknown) => {
      failure = cause;
      waiting.reject(cause);
    });
  port.on("message", (reply: FormReply) => waiting.resolve(reply));

  async function ask(chunk: Uint8Array | null): Promise<FormReply> {
    // A chunk may be part of a larger buffer, and others may read it: only a copy can be given away.
    const copy = chunk && new Uint8Array(chunk);
    const reply = await new Promise<FormReply>((resolve, reject) => {
      Object.assign(waiting, { resolve, reject });
      if (failure !== undefined) {
        reject(failure);
      }
      port.postMessage(copy, copy ? [copy.buffer] : []);
    });
    if (reply.problem) {
      const { code, message, param } = reply.problem;
      throw new AppError(code, message, { param });
    }
    return reply;
  }

  return { ask, close: () => port.close() };
}

/** One thread for all uploads of the process: parsing is fast, and their number is bounded. */
function formPool(): Piscina {
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
export async function closeFormThread(): Promise<void> {
  const { pool } = started;
  delete started.pool;
  await pool?.destroy();
}
