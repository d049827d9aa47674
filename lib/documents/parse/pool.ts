import path from "node:path";
import pLimit from "p-limit";
import { Piscina } from "piscina";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/singleton";
import type { TermWeights } from "@/lib/text/bm25";
import type { ChunkDraft } from "../chunk";
import { DocumentError } from "../document-error";
import { startWatchdog, type TaskLimits } from "./watchdog";

export interface ReadTask {
  bytes: Uint8Array;
  name: string | null;
  /** The caller's own title, if any. */
  title: string | null;
  /** text/plain or text/markdown if known; null to detect the format from the bytes. */
  mediaType: string | null;
}

/** Each code appears once, with a count in its message. */
export interface DocumentWarning {
  code: string;
  message: string;
}

/** A passage with its term weights. */
export interface ReadChunk extends Omit<ChunkDraft, "isHidden">, TermWeights {
  /** Codes. */
  warnings: string[];
}

export interface ReadDocument {
  mediaType: string;
  title: string;
  text: string;
  pages: number | null;
  emptyPages: number | null;
  warnings: DocumentWarning[];
  chunks: ReadChunk[];
}

/** Limits on documents. */
export interface ReadLimits {
  maxPages: number;
  maxChunks: number;
  maxExpandedBytes: number;
  chunkTokens: number;
  overlapTokens: number;
}

/** Limits on parsing. */
export interface PoolLimits extends TaskLimits {
  threads: number;
}

/** Sent to a worker thread, which returns an answer for each task as plain data. */
export interface ReadMessage {
  tasks: ReadTask[];
  limits: ReadLimits;
  /** A 32-bit integer: the id of the thread, stored when it starts, so that its time limit excludes the queue. */
  begun: SharedArrayBuffer;
}
interface FaultAnswer {
  fault: Pick<DocumentError, "code" | "message">;
}
export type ReadAnswer = { document: ReadDocument } | FaultAnswer;

/** Returns plain data, because two bundles in one process share the pool and each has its own DocumentError. */
export interface ParserPool {
  readAll(tasks: ReadTask[], signal?: AbortSignal): Promise<ReadAnswer[]>;
  close(): Promise<void>;
}

/** A thread takes 100 MB for vocabulary and parsers, so idle ones end. */
const IDLE_MS = 30_000;
const STACK_MB = 4;
/**
 * Node gives a thread that reaches its heap limit 16 MB more to end in, and aborts the process beyond that. A scavenge
 * can promote a third of the young generation at once, so that must be less.
 */
const YOUNG_GENERATION_MB = 32;

const started = processSingleton("parser pool", (): { pool?: ParserPool } => ({}));

/** Parses a document in a worker thread. A DocumentError is final; other errors can be retried. */
export async function readDocument(task: ReadTask, signal?: AbortSignal): Promise<ReadDocument> {
  const [answer] = await readDocuments([task], signal);
  if (!answer || answer instanceof DocumentError) {
    throw answer ?? new Error("The parser returned no answer.");
  }
  return answer;
}

/** Parses many small, trusted texts in one message to a thread. Returns errors in place of documents. */
export async function readDocuments(
  tasks: ReadTask[],
  signal?: AbortSignal,
): Promise<(ReadDocument | DocumentError)[]> {
  const answers = await parserPool().readAll(tasks, signal);
  return answers.map(toResult);
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
  const piscina = new Piscina(
    threadOptions(
      pool,
      path.join(/* turbopackIgnore: true */ process.cwd(), "lib/documents/parse/worker.mjs"),
    ),
  );
  piscina.on("error", (cause) => log.error({ err: cause }, "document parser pool failed"));
  // Piscina drops its queue when its last worker dies, so tasks are queued here.
  const limit = pLimit(pool.threads);

  async function readAll(tasks: ReadTask[], signal?: AbortSignal): Promise<ReadAnswer[]> {
    const answers = await limit(() => run(tasks.map(copyOf), signal));
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
    const guard = startWatchdog(piscina, begun, pool);
    const message: ReadMessage = { tasks, limits, begun };
    try {
      return await piscina.run(message, {
        transferList: tasks.map(({ bytes }) => bytes.buffer as ArrayBuffer),
        signal: AbortSignal.any([guard.signal, ...(signal ? [signal] : [])]),
      });
    } catch (thrown) {
      signal?.throwIfAborted();
      return toFaultAnswer(thrown, guard.signal);
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
    name: "read",
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    atomics: "disabled",
    // The parent's flags may be those of tsx, vitest or React's server condition.
    execArgv: [],
    // A parser reads hostile files: it gets no secret to lose.
    env: {},
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      stackSizeMb: STACK_MB,
    },
  } as const satisfies ConstructorParameters<typeof Piscina>[0];
}

/** A copy that can be transferred to the thread: the caller's bytes may be part of a larger buffer. */
function copyOf(task: ReadTask): ReadTask {
  return { ...task, bytes: new Uint8Array(task.bytes) };
}

function toResult(answer: ReadAnswer): ReadDocument | DocumentError {
  return "document" in answer
    ? answer.document
    : new DocumentError(answer.fault.code, answer.fault.message);
}

/** The error of a document that exceeded a limit. Rethrows errors that can be retried. */
function toFaultAnswer(thrown: unknown, watchdog: AbortSignal): FaultAnswer {
  const cause: unknown = watchdog.aborted ? watchdog.reason : thrown;
  if (cause instanceof DocumentError) {
    return { fault: { code: cause.code, message: cause.message } };
  }
  if (cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY") {
    return toFaultAnswer(new DocumentError("too_complex"), watchdog);
  }
  throw cause;
}
