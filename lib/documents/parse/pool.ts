import { env } from "@/lib/env";
import { processSingleton } from "@/lib/singleton";
import type { TermWeights } from "@/lib/text/bm25";
import type { SpellableWords } from "@/lib/text/spelling";
import type { RecognizedRanges } from "../canonical-text";
import type { ChunkDraft, ChunkLimits } from "../chunk";
import { DocumentError, type faultOf } from "../document-error";
import type { PageBoxes } from "../page-boxes";
import type { JobReport, OcrMode } from "../schema";
import type { Attachment } from "./block";
import { openProcessPool, type PoolLimits } from "./process-pool";
import type { Recognition, Scan } from "./scans";

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

/** Its files are sent beside it, one per task. An answer for each task is returned as plain data. */
export interface ReadMessage {
  tasks: Omit<ReadTask, "bytes">[];
  limits: ReadLimits;
}
type FaultAnswer = ReturnType<typeof faultOf>;
export type ReadAnswer = { document: ReadDocument } | { scan: Scan } | FaultAnswer;

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
