import { env } from "@/lib/platform/env";
import { DocumentError } from "@/lib/reading/document-error";
import type {
  FaultAnswer,
  ReadAnswer,
  ReadDocument,
  ReadLimits,
  ReadMessage,
  ReadTask,
} from "@/lib/reading/parse/read-task";
import { processSingleton } from "@/lib/singleton";
import { openProcessPool, type PoolLimits } from "./process-pool";

/** Returns plain data, because two bundles in one process share the pool and each has its own DocumentError. */
export interface ParserPool {
  readAll(tasks: ReadTask[], signal?: AbortSignal): Promise<ReadAnswer[]>;
  close(): Promise<void>;
}

const started = processSingleton("parser pool", (): { pool?: ParserPool } => ({}));

/**
 * Parses a document in a child process, unless text has to be recognized first. A DocumentError is final; other errors
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

/** Parses many small, trusted texts in one message to a process. Returns errors in place of documents. */
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

/** Ends the processes that parse. The next document starts new ones. */
export async function closeParserPool(): Promise<void> {
  const open = started.pool;
  delete started.pool;
  await open?.close();
}

function parserPool(): ParserPool {
  started.pool ??= openParserPool(
    {
      processes: env.PARSE_THREADS,
      memoryMb: env.PARSE_MEMORY_MB,
      timeoutMs: env.PARSE_TIMEOUT_MS,
    },
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
  const processes = openProcessPool("read", pool);

  async function readAll(tasks: ReadTask[], signal?: AbortSignal): Promise<ReadAnswer[]> {
    const message: ReadMessage = { tasks: tasks.map(({ bytes, ...task }) => task), limits };
    const load = () => tasks.map(({ bytes }) => bytes);
    const { answer, cpuMs } = await processes.run<ReadAnswer[]>({ message, load }, signal);
    if (!("fault" in answer)) {
      return answer.map((each) => withCpuTime(each, cpuMs));
    }
    // One document that exceeds a limit must not fail the others.
    return tasks.length === 1
      ? [withCpuTime(answer, cpuMs)]
      : (await Promise.all(tasks.map((task) => readAll([task], signal)))).flat();
  }

  return { readAll, close: processes.close };
}

/** Only a document that is too complex is charged for what its parsing used. */
function withCpuTime<T extends ReadAnswer>(answer: T, cpuMs: number): T {
  return "fault" in answer && answer.fault.code === "too_complex"
    ? { ...answer, fault: { ...answer.fault, cpuMs } }
    : answer;
}
