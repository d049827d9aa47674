import pLimit from "p-limit";
import { Piscina } from "piscina";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/singleton";
import { DocumentError } from "../document-error";
import { startWatchdog, threadOptions } from "../parse/pool";
import { workerFile } from "../parse/worker-file";
import type { PageAnswer, PageTask, ReadPage } from "./recognize-page";

/** A page's image, Tesseract's memory and PDFium's, of which one is in use at a time. */
const MEMORY_MB = 512;

/** A page to recognize. */
export type PageSource = Omit<PageTask, "begun">;

interface OcrPool {
  run(task: PageSource, signal: AbortSignal): Promise<ReadPage>;
  close(): Promise<void>;
}

const started = processSingleton("text recognition pool", (): { pool?: OcrPool } => ({}));

/**
 * Recognizes the text of a page in a thread of its own, apart from those that parse. Throws a DocumentError for a page
 * that can't be read within its time and memory; other errors can be retried.
 */
export function recognizePageInThread(task: PageSource, signal: AbortSignal): Promise<ReadPage> {
  started.pool ??= openOcrPool();
  return started.pool.run(task, signal);
}

/** Ends this process's threads. The next page starts new ones. */
export async function closeOcrPool(): Promise<void> {
  const open = started.pool;
  delete started.pool;
  await open?.close();
}

function openOcrPool(): OcrPool {
  const limits = {
    threads: env.OCR_THREADS,
    memoryMb: MEMORY_MB,
    timeoutMs: env.OCR_PAGE_TIMEOUT_MS,
  };
  const piscina = new Piscina({ ...threadOptions(limits, workerFile()), name: "recognize" });
  piscina.on("error", (cause) => log.error({ err: cause }, "text recognition pool failed"));
  // Documents take turns by pages: each asks for its next one when it has the last.
  const limit = pLimit(limits.threads);

  async function run(task: PageSource, signal: AbortSignal): Promise<ReadPage> {
    signal.throwIfAborted();
    const begun = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const guard = startWatchdog(piscina, begun, limits);
    try {
      const message: PageTask = { ...task, begun };
      const answer: PageAnswer = await piscina.run(message, {
        signal: AbortSignal.any([guard.signal, signal]),
      });
      if ("fault" in answer) {
        throw new DocumentError(answer.fault.code, answer.fault.message);
      }
      return answer;
    } catch (thrown) {
      signal.throwIfAborted();
      throw guard.signal.aborted ? guard.signal.reason : thrown;
    } finally {
      guard.stop();
    }
  }

  return {
    run: (task, signal) => limit(() => run(task, signal)),
    close: () => piscina.destroy(),
  };
}
