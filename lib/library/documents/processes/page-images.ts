import pLimit from "p-limit";
import { AppError } from "@/lib/errors";
import { env } from "@/lib/platform/env";
import { changeCount } from "@/lib/platform/limits/open-streams";
import { DocumentError } from "@/lib/reading/document-error";
import type { PaintAnswer, PaintMessage } from "@/lib/reading/pdf/paint-page";
import { processSingleton } from "@/lib/singleton";
import { openProcessPool, type ProcessPool } from "./process-pool";

export interface PageImage {
  /** The document and its version, so that no account gets another one's image. */
  key: string;
  /** From 1. */
  page: number;
  width: number;
}

/** One process draws about ten pages a second. It is apart from the parser's, which may be busy for minutes. */
const PROCESSES = 1;
const TIMEOUT_MS = 15_000;
const MAX_WAITING = 64;
const MAX_WAITING_PER_ACCOUNT = 8;
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

interface Painter {
  pool: ProcessPool;
  /** So that those who leave while they wait aren't drawn for. */
  limit: ReturnType<typeof pLimit>;
  /** By account. */
  waiting: Map<string, number>;
  /** The least recently used first. */
  images: Map<string, Uint8Array>;
  cachedBytes: number;
}

const painters = processSingleton("page images", (): { open?: Painter } => ({}));

/**
 * Draws a page of a PDF as a PNG in a child process. `load` reads the file if the process doesn't have it. Throws
 * page_not_available, and rate_limit_exceeded or service_unavailable when too many wait.
 */
export async function drawPage(
  image: PageImage,
  {
    accountId,
    signal,
    load,
  }: { accountId: string; signal: AbortSignal; load: () => Promise<Uint8Array> },
): Promise<Uint8Array> {
  const painter = openPainter();
  const name = `${image.key}/${image.page}/${image.width}`;
  const known = painter.images.get(name);
  if (known) {
    painter.images.delete(name);
    painter.images.set(name, known);
    return known;
  }
  const release = enterQueue(painter, accountId);
  try {
    const answer = await painter.limit(() => {
      signal.throwIfAborted();
      const message: PaintMessage = { page: image.page, width: image.width };
      const files = async () => [await load()];
      // Not the request's signal: aborting would end the process, and with it the open file.
      return painter.pool.run<PaintAnswer>({ message, key: image.key, load: files });
    });
    const png = pngOf(answer.answer, image.page);
    cache(painter, name, png);
    return png;
  } finally {
    release();
  }
}

/** Ends the process that draws. */
export async function closePageImages(): Promise<void> {
  const { open } = painters;
  delete painters.open;
  await open?.pool.close();
}

function openPainter(): Painter {
  painters.open ??= {
    pool: openProcessPool("paint", {
      processes: PROCESSES,
      memoryMb: env.PARSE_MEMORY_MB,
      timeoutMs: TIMEOUT_MS,
    }),
    limit: pLimit(PROCESSES),
    waiting: new Map(),
    images: new Map(),
    cachedBytes: 0,
  };
  return painters.open;
}

function pngOf(answer: PaintAnswer, page: number): Uint8Array {
  if ("fault" in answer) {
    const { code, message } = answer.fault;
    throw new AppError("page_not_available", `Page ${page} can't be drawn. ${message}`, {
      param: "page",
      cause: new DocumentError(code),
    });
  }
  if ("png" in answer) {
    return answer.png;
  }
  const message = `The document has no page ${page}. It has ${answer.pages} ${answer.pages === 1 ? "page" : "pages"}.`;
  throw new AppError("page_not_available", message, { param: "page" });
}

/** Counts a request that waits. Throws when there are too many, of the account or of all. */
function enterQueue({ waiting, limit }: Painter, accountId: string): () => void {
  const own = waiting.get(accountId) ?? 0;
  const headers = { "retry-after": "1" };
  if (own >= MAX_WAITING_PER_ACCOUNT) {
    const message = `At most ${MAX_WAITING_PER_ACCOUNT} pages of an account are drawn at a time. Wait 1 s and try again.`;
    throw new AppError("rate_limit_exceeded", message, { headers });
  }
  if (limit.pendingCount >= MAX_WAITING) {
    const message = "The server is drawing too many pages. Wait 1 s and try again.";
    throw new AppError("service_unavailable", message, { headers });
  }
  changeCount(waiting, accountId, 1);
  return () => void changeCount(waiting, accountId, -1);
}

function cache(painter: Painter, name: string, png: Uint8Array): void {
  const { images } = painter;
  if (!images.has(name)) {
    images.set(name, png);
    painter.cachedBytes += png.byteLength;
  }
  for (const [oldest, { byteLength }] of images) {
    if (painter.cachedBytes <= MAX_CACHED_BYTES) {
      return;
    }
    images.delete(oldest);
    painter.cachedBytes -= byteLength;
  }
}
