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
  /** When the format is known already: text/plain or text/markdown; null: told from the bytes. */
  mediaType: string | null;
}

/** What a reader of the document should know of it; a code comes once, with a count in its sentence. */
export interface DocumentWarning {
  code: string;
  message: string;
}

/** A passage with what the index needs of it: the words leg of the title, the headings and the text. */
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

/** Bounds of what is read, for the worker. */
export interface ReadLimits {
  maxPages: number;
  maxChunks: number;
  maxExpandedBytes: number;
  chunkTokens: number;
  overlapTokens: number;
}

/** Bounds of the reading itself. */
export interface PoolLimits extends TaskLimits {
  threads: number;
}

/** What a worker is sent, and what it sends back: an answer for each task, as plain data. */
export interface ReadMessage {
  tasks: ReadTask[];
  limits: ReadLimits;
  /** One 32-bit integer: the thread that began, so that its time runs from there and not from the queue. */
  begun: SharedArrayBuffer;
}
interface FaultAnswer {
  fault: Pick<DocumentError, "code" | "message">;
}
export type ReadAnswer = { document: ReadDocument } | FaultAnswer;

/** Its answers are plain data: one process shares it between bundles, each with its own DocumentError. */
export interface ParserPool {
  readAll(tasks: ReadTask[], signal?: AbortSignal): Promise<ReadAnswer[]>;
  close(): Promise<void>;
}

/** A worker is 100 MB of vocabulary and parsers: it is given back when there is nothing to read. */
const IDLE_MS = 30_000;
const STACK_MB = 4;

const started = processSingleton("parser pool", (): { pool?: ParserPool } => ({}));

/**
 * Reads a document in a worker thread. Throws DocumentError for what can never work; anything else is
 * worth another try. Aborting ends the worker's work at once.
 */
export async function readDocument(task: ReadTask, signal?: AbortSignal): Promise<ReadDocument> {
  const [answer] = await readDocuments([task], signal);
  if (!answer || answer instanceof DocumentError) {
    throw answer ?? new Error("The reader gave no answer.");
  }
  return answer;
}

/** Many small trusted texts in one message to a worker; a fault stands in its place. */
export async function readDocuments(
  tasks: ReadTask[],
  signal?: AbortSignal,
): Promise<(ReadDocument | DocumentError)[]> {
  const answers = await parserPool().readAll(tasks, signal);
  return answers.map(toResult);
}

/** Ends the workers of this process; the next document starts new ones. */
export async function closeParserPool(): Promise<void> {
  const open = started.pool;
  delete started.pool;
  await open?.close();
}

function parserPool(): ParserPool {
  shared.footnoteReaders ??= openParserPool(
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

/** Workers with bounds of their own. */
export function openParserPool(pool: PoolLimits, limits: ReadLimits): ParserPool {
  const piscina = new Piscina({
    filename: path.join(
      /* turbopackIgnore: true */ process.cwd(),
      "lib/documents/parse/worker.mjs",
    ),
    name: "read",
    minThreads: 0,
    maxThreads: pool.threads,
    idleTimeout: IDLE_MS,
    atomics: "disabled",
    // Not the parent's: it may run under tsx, vitest or React's server condition.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: pool.memoryMb, stackSizeMb: STACK_MB },
  });
  piscina.on("error", (cause) => log.error({ err: cause }, "document reader failed"));
  // The pool forgets what is queued when its last worker dies, so nothing is ever queued there.
  const turn = pLimit(pool.threads);

  async function readAll(tasks: ReadTask[], signal?: AbortSignal): Promise<ReadAnswer[]> {
    const answers = await turn(() => run(tasks.map(copyOf), signal));
    if (!("fault" in answers)) {
      return answers;
    }
    // The one that is too much must not fail its neighbours.
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

/** Bytes of its own, to be given to the worker: the caller's may be a window into much more. */
function copyOf(task: ReadTask): ReadTask {
  return { ...task, bytes: new Uint8Array(task.bytes) };
}

function toResult(answer: ReadAnswer): ReadDocument | DocumentError {
  return "document" in answer
    ? answer.document
    : new DocumentError(answer.fault.code, answer.fault.message);
}

/** The fault of a document that took too much; throws what is worth another try. */
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
