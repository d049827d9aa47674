import "server-only";

import { embedder } from "@/lib/models/embedding";
import { withAdvisoryLock } from "@/lib/platform/db/advisory-lock";
import { LEXICON_VERSION } from "@/lib/text/bm25";
import { advance, createReindexCursor, type ReindexCursor, type Work } from "./reindex";

/** New chunks are current, unless a process of an older version writes them. */
const CYCLE_PAUSE_MS = 60 * 60 * 1000;

interface Cycle {
  cursor: ReindexCursor;
  endedAt: number | null;
  /** New chunks without vectors have higher ids. */
  restartAt: string | null;
}

/** This process's background cycles, by what they search for. */
const cycles = new Map<string, Cycle>();

/** Has chunks embedded soon that were stored without vectors. They have higher ids than this. */
export function announceChunks(after: string): void {
  for (const cycle of cycles.values()) {
    cycle.restartAt = earlier(cycle.restartAt ?? after, after);
  }
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

/**
 * Reindexes up to `limit` chunks of an older lexicon or without a vector of the configured model. Returns how many.
 * Each call checks some chunks. An hour after all are checked, the next cycle starts.
 */
export async function reindexSome(limit: number): Promise<number> {
  const { signal } = new AbortController();
  const model = await embedder(signal).catch(() => null);
  const space = model?.space ?? "";
  // Terms have their own cycle, which doesn't need the embedding model.
  const words = await continueCycle(`${LEXICON_VERSION} words ${space}`, {
    limit,
    model: null,
    signal,
  });
  return words > 0 || !model ? words : continueCycle(`${space} vectors`, { limit, model, signal });
}

async function continueCycle(goal: string, work: Work): Promise<number> {
  const known = cycles.get(goal);
  const isOver = known?.endedAt && performance.now() - known.endedAt >= CYCLE_PAUSE_MS;
  if (known?.endedAt && !isOver && known.restartAt === null) {
    return 0;
  }
  const cycle =
    known && !isOver
      ? known
      : { cursor: createReindexCursor(null), endedAt: null, restartAt: null };
  cycles.set(goal, cycle);
  const { cursor } = cycle;
  try {
    const done = await withAdvisoryLock("reindex", () => {
      if (cycle.restartAt !== null) {
        Object.assign(cursor, { after: earlier(cursor.after, cycle.restartAt), isDone: false });
        cycle.restartAt = null;
      }
      return advance(cursor, work);
    });
    return done ?? 0;
  } finally {
    // A failure doesn't repeat the chunks that were already checked.
    cycle.endedAt = cursor.isDone ? performance.now() : null;
  }
}
