import pLimit from "p-limit";
import { Piscina } from "piscina";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/singleton";
import type { TermWeights } from "@/lib/text/bm25";
import type { SpellableWords } from "@/lib/text/spelling";
import type { RecognizedRanges } from "../canonical-text";
import type { ChunkDraft, ChunkLimits } from "../chunk";
import { DocumentError, faultOf } from "../document-error";
import type { PageBoxes } from "../page-boxes";
import type { JobReport, OcrMode } from "../schema";
import type { Attachment } from "./block";
import type { Recognition, Scan } from "./scans";
import { workerFile } from "./worker-file";

export interface ReadTask {
  bytes: Uint8Array;
  name: string | null;
  /** The caller's own title, if any. */
  title: string | null;
  /** text/plain or text/markdown if known; null to detect the format from the bytes. */
  mediaType: string | null;
  /** Whether to recognize text in images: absent, it isn't. */
  ocr?: OcrMode;
  /** What was recognized; absent until then. */
  recognition?: Recognition;
  /** Whether an email's attachments are returned; absent, they are left out. */
  takesAttachments?: boolean;
}

/** A passage with its term weights. */
export interface ReadChunk extends Omit<ChunkDraft, "isHidden" | "isRecognized">, TermWeights {
  /** Codes. */
  warnings: string[];
}

export interface ReadDocument {
  mediaType: string;
  title: string;
  text: string;
  pages: number | null;
  emptyPages: number | null;
  pageConfidence: (number | null)[] | null;
  /** Offsets in the text at which its pages begin, from page 1; null without pages. */
  pageStarts: number[] | null;
  /** Where its text was recognized in images, and in how many pages; absent if in none. */
  recognized?: RecognizedRanges & { pages: number };
  /** How it was read, if another value would have made a difference. */
  ocr?: OcrMode;
  /** Where the words of its pages are, as far as that is known. */
  pageBoxes: PageBoxes[];
  /** Each code appears once, with a count in its message. */
  warnings: JobReport["warnings"];
  chunks: ReadChunk[];
  /** Words of all chunks, for the collection's vocabulary. */
  words: SpellableWords;
  /** Of an email, if the task takes them; bytes are null if they can't be read. */
  attachments?: Attachment[];
}

/** Limits on documents. */
export interface ReadLimits extends ChunkLimits {
  maxPages: number;
  maxExpandedBytes: number;
}

/** Limits on parsing; memory and CPU time are a task's. */
export interface PoolLimits {
  threads: number;
  memoryMb: number;
  timeoutMs: number;
}

/** Sent to a worker thread, which returns an answer for each task as plain data. */
export interface ReadMessage {
  tasks: ReadTask[];
  limits: ReadLimits;
  /** A 32-bit integer: the id of the thread, stored when it starts, so that its time limit excludes the queue. */
  begun: SharedArrayBuffer;
}
export type FaultAnswer = ReturnType<typeof faultOf>;
export type ReadAnswer = { document: ReadDocument } | { scan: Scan } | FaultAnswer;

/** Returns plain data, because two bundles in one process share the pool and each has its own DocumentError. */
export interface ParserPool {
  readAll(tasks: ReadTask[], signal?: AbortSignal): Promise<ReadAnswer[]>;
  close(): Promise<void>;
}

/** A thread takes 60 MB for vocabulary and parsers, so idle ones end. */
const IDLE_MS = 30_000;
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
/** A thread that hasn't started by then could not load its modules. */
const START_TIMEOUT_MS = 60_000;
const MEGABYTE = 1024 * 1024;

/** Wall-clock limit as a multiple of the CPU limit. */
const WALL_CLOCK_FACTOR = 5;

const started = processSingleton("parser pool", (): { pool?: ParserPool } => ({}));

/**
 * Parses a document in a worker thread, unless text has to be recognized first. A DocumentError is final; other errors
 * can be retried.
 */
export async function readOrScan(
  task: ReadTask,
  signal?: AbortSignal,
): Promise<Exclude<ReadAnswer, FaultAnswer>> {
  const [answer] = await parserPool().readAll([task], signal);
  if (!answer) {
    throw new Error("The parser returned no answer.");
  }
  if ("fault" in answer) {
    throw toDocumentError(answer);
  }
  return answer;
}

/** As `readOrScan`, without text recognition unless its outcome is given. */
export async function readDocument(task: ReadTask, signal?: AbortSignal): Promise<ReadDocument> {
  const answer = await readOrScan(task.recognition ? task : { ...task, ocr: "off" }, signal);
  if (!("document" in answer)) {
    throw new Error("The parser returned no document.");
  }
  return answer.document;
}

function toDocumentError({ fault: { code, message, cpuMs } }: FaultAnswer): DocumentError {
  return new DocumentError(code, message, cpuMs);
}

/** Parses many small, trusted texts in one message to a thread. Returns errors in place of documents. */
export async function readDocuments(
  tasks: ReadTask[],
  signal?: AbortSignal,
): Promise<(ReadDocument | DocumentError)[]> {
  const answers = await parserPool().readAll(tasks, signal);
  return answers.map((answer) => {
    if ("document" in answer) {
      return answer.document;
    }
    return "fault" in answer ? toDocumentError(answer) : new DocumentError("no_extractable_text");
  });
}

/** Ends this process's threads. The next document starts new ones. */
export async function closeParserPool(): Promise<void> {
  const open = started.pool;
  delete started.pool;
  await open?.close();
}

function parserPool(): ParserPool {
  started.pool ??= openParserPool(
    { threads: env.PARSE_THREADS, memoryMb: env.PARSE_MEMORY_MB, timeoutMs: env.PARSE_TIMEOUT_MS },
    {
      maxPages: env.MAX_PAGES_PER_DOCUMENT,
      maxChunks: env.MAX_CHUNKS_PER_DOCUMENT,
      maxExpandedBytes: env.MAX_EXPANDED_BYTES,
      chunkTokens: env.CHUNK_TOKENS,
      overlapTokens: env.CHUNK_OVERLAP_TOKENS,
    },
  );
  return started.pool;
}

export function openParserPool(pool: PoolLimits, limits: ReadLimits): ParserPool {
  const piscina = new Piscina({ ...threadOptions(pool, workerFile()), name: "read" });
  piscina.on("error", (cause) => log.error({ err: cause }, "document parser pool failed"));
  // Piscina drops its queue when its last worker dies, so tasks are queued here.
  const limit = pLimit(pool.threads);

  async function readAll(tasks: ReadTask[], signal?: AbortSignal): Promise<ReadAnswer[]> {
    const answers = await limit(() => run(tasks, signal));
    if (!("fault" in answers)) {
      return answers;
    }
    // One document that exceeds a limit must not fail the others.
    return tasks.length === 1
      ? [answers]
      : (await Promise.all(tasks.map((task) => readAll([task], signal)))).flat();
  }

  async function run(tasks: ReadTask[], signal?: AbortSignal): Promise<ReadAnswer[] | FaultAnswer> {
    signal?.throwIfAborted();
    const begun = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    // Copies can be transferred to the thread: the caller's bytes may be part of a larger buffer.
    const copies = tasks.map((task) => ({ ...task, bytes: new Uint8Array(task.bytes) }));
    const message: ReadMessage = { tasks: copies, limits, begun };
    const guard = startWatchdog(piscina, begun, pool);
    try {
      const answers: ReadAnswer[] = await piscina.run(message, {
        transferList: copies.map(({ bytes }) => bytes.buffer),
        signal: AbortSignal.any([guard.signal, ...(signal ? [signal] : [])]),
      });
      return answers.map((answer) => withCpuTime(answer, guard.cpuMs()));
    } catch (thrown) {
      signal?.throwIfAborted();
      return withCpuTime(toFaultAnswer(thrown, guard.signal), guard.cpuMs());
    } finally {
      guard.stop();
    }
  }

  return { readAll, close: () => piscina.destroy() };
}

/** Threads that run the file at `filename` within the limits of `pool`. */
export function threadOptions({ threads, memoryMb }: PoolLimits, filename: string) {
  return {
    filename,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    atomics: "disabled",
    // The parent's flags may be those of tsx, vitest or React's server condition.
    execArgv: [],
    // A parser reads hostile files: it gets no secret to lose.
    env: {},
    resourceLimits: {
      maxOldGenerationSizeMb: Math.ceil(memoryMb * HEAP_SHARE),
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      stackSizeMb: STACK_MB,
    },
  } as const satisfies ConstructorParameters<typeof Piscina>[0];
}

/** Only a document that is too complex is charged for what its parsing used. */
function withCpuTime<T extends ReadAnswer>(answer: T, cpuMs: number): T {
  return "fault" in answer && answer.fault.code === "too_complex"
    ? { ...answer, fault: { ...answer.fault, cpuMs } }
    : answer;
}

/** The error of a document that exceeded a limit. Rethrows errors that can be retried. */
export function toFaultAnswer(thrown: unknown, watchdog: AbortSignal): FaultAnswer {
  const cause: unknown = watchdog.aborted ? watchdog.reason : thrown;
  const isOutOfMemory =
    cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
  return faultOf(isOutOfMemory ? new DocumentError("too_complex") : cause);
}

/**
 * Aborts `signal` when a task exceeds its CPU time or its memory outside the heap, which Node's resource limits don't
 * cover. CPU time, so that a busy machine fails no document. It counts from when the thread stores its id in `begun`.
 */
export function startWatchdog(
  pool: Piscina,
  begun: SharedArrayBuffer,
  { timeoutMs, memoryMb }: PoolLimits,
): { signal: AbortSignal; cpuMs(): number; stop(): void } {
  const controller = new AbortController();
  const threads = new Int32Array(begun);
  const createdAt = performance.now();
  let first: { at: number; cpuMs: number } | null = null;
  let usedMs = 0;

  async function look(): Promise<void> {
    const threadId = Atomics.load(threads, 0);
    if (threadId === 0) {
      if (performance.now() - createdAt > START_TIMEOUT_MS) {
        controller.abort(new Error("The document parser did not start."));
      }
      return;
    }
    const worker = pool.threads.find((thread) => thread.threadId === threadId);
    const used = worker && (await usageOf(worker));
    if (!used) {
      return;
    }
    first ??= { at: performance.now(), cpuMs: used.cpuMs };
    usedMs = used.cpuMs - first.cpuMs;
    const isLate =
      usedMs > timeoutMs || performance.now() - first.at > timeoutMs * WALL_CLOCK_FACTOR;
    if (isLate || used.externalBytes > memoryMb * MEGABYTE) {
      controller.abort(new DocumentError("too_complex"));
    }
  }

  const timer = setInterval(() => void look(), POLL_MS);
  const cpuMs = () => Math.ceil(Math.min(usedMs, timeoutMs));
  return { signal: controller.signal, cpuMs, stop: () => clearInterval(timer) };
}

/** CPU time, and bytes outside the heap, mostly buffers. Null once the thread has ended. */
async function usageOf(worker: Piscina["threads"][number]) {
  try {
    const [cpu, heap] = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()]);
    return { cpuMs: (cpu.user + cpu.system) / 1000, externalBytes: heap.external_memory };
  } catch {
    return null;
  }
}
