import { env } from "@/lib/platform/env";
import { DocumentError } from "@/lib/reading/document-error";
import type { PageAnswer, PageTask, ReadPage } from "@/lib/reading/ocr/recognize-page";
import { processSingleton } from "@/lib/singleton";
import { openProcessPool, type ProcessPool } from "./process-pool";

/** A page's image, Tesseract's memory and PDFium's, of which one is in use at a time. */
const MEMORY_MB = 512;

/** A page to recognize. */
export interface PageSource extends PageTask {
  bytes: Uint8Array;
  /** Names the file, so that it isn't sent again for each of its pages. */
  key: string;
}

const started = processSingleton("text recognition pool", (): { pool?: ProcessPool } => ({}));

/**
 * Recognizes the text of a page in a child process, apart from those that parse. Documents take turns by pages: each
 * asks for its next one when it has the last. Throws a DocumentError for a page that can't be read within its time and
 * memory; other errors can be retried.
 */
export async function recognizePageApart(
  { bytes, key, ...message }: PageSource,
  signal: AbortSignal,
): Promise<ReadPage> {
  started.pool ??= openProcessPool("recognize", {
    processes: env.OCR_THREADS,
    memoryMb: MEMORY_MB,
    timeoutMs: env.OCR_PAGE_TIMEOUT_MS,
  });
  const task = { message, key, load: () => [bytes] };
  const { answer } = await started.pool.run<PageAnswer>(task, signal);
  if ("fault" in answer) {
    throw new DocumentError(answer.fault.code, answer.fault.message);
  }
  return answer;
}

/** Ends the processes. The next page starts new ones. */
export async function closeOcrPool(): Promise<void> {
  const open = started.pool;
  delete started.pool;
  await open?.close();
}
