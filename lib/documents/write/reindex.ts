import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import { withAdvisoryLock } from "@/lib/db/advisory-lock";
import { query } from "@/lib/db/client";
import { type Embedder, embedder } from "@/lib/models/embedding";
import { LEXICON_VERSION } from "@/lib/text/bm25";
import { reindexChunks, type StaleChunk } from "./reindex-chunks";

/** The position of a reindex over all chunks, or one collection's, by id. */
export interface ReindexCursor {
  collectionId: string | null;
  after: string;
  isDone: boolean;
  /** How many chunks were reindexed or embedded. */
  done: number;
}

/** Chunks per query, and per call at most, so that a call ends soon even if nothing is stale. */
const QUERY_CHUNKS = 2000;
const CALL_CHUNKS = 10_000;
/** New chunks are current, unless a process of an older version writes them. */
const CYCLE_PAUSE_MS = 60 * 60 * 1000;
const WAIT_MS = 200;
const DROP_BATCH = 5000;

/** This process's background cycles, by what they search for. */
const cycles = new Map<string, { cursor: ReindexCursor; endedAt: number | null }>();

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
  if (known?.endedAt && performance.now() - known.endedAt < CYCLE_PAUSE_MS) {
    return 0;
  }
  const cursor = known && !known.endedAt ? known.cursor : createReindexCursor(null);
  const before = cursor.done;
  try {
    await withAdvisoryLock("reindex", () => advance(cursor, work));
  } finally {
    // A failure doesn't repeat the chunks that were already checked.
    cycles.set(goal, { cursor, endedAt: cursor.isDone ? performance.now() : null });
  }
  return cursor.done - before;
}

export function createReindexCursor(collectionId: string | null): ReindexCursor {
  return { collectionId, after: "", isDone: false, done: 0 };
}

/** Continues a reindex by some chunks. Waits while another process is reindexing. */
export async function continueReindex(cursor: ReindexCursor, signal: AbortSignal): Promise<void> {
  const model = await embedder(signal);
  const walked = await withAdvisoryLock("reindex", async () => {
    await advance(cursor, { limit: QUERY_CHUNKS, model, signal });
    return true;
  });
  if (!walked) {
    await sleep(WAIT_MS);
  }
}

interface Work {
  limit: number;
  model: Embedder | null;
  signal: AbortSignal;
}

async function advance(cursor: ReindexCursor, work: Work): Promise<void> {
  const most = cursor.done + work.limit;
  for (let checked = 0; checked < CALL_CHUNKS && cursor.done < most && !cursor.isDone; ) {
    const { chunks, stale } = await findStaleChunks(cursor, work.model);
    const taken = stale.slice(0, most - cursor.done);
    await reindexChunks(taken, work);
    cursor.done += taken.length;
    const last = taken.length < stale.length ? taken.at(-1) : chunks.at(-1);
    cursor.isDone = taken.length === stale.length && chunks.length < QUERY_CHUNKS;
    cursor.after = last?.id ?? cursor.after;
    checked += chunks.length;
  }
}

async function findStaleChunks(
  { collectionId, after }: ReindexCursor,
  model: Embedder | null,
): Promise<{ chunks: StaleChunk[]; stale: StaleChunk[] }> {
  const chunks = await query<StaleChunk>(
    "documents_find_stale_chunks",
    `SELECT c.id, c.collection_id, c.account_id, c.lexicon_version <> $3 AS has_old_words,
            $4::text IS NOT NULL AND NOT EXISTS
              (SELECT 1 FROM chunk_vector v WHERE v.chunk_id = c.id AND v.space = $4) AS lacks_vector
       FROM (SELECT id, collection_id, account_id, lexicon_version FROM chunk
              WHERE id > $1 AND ($5::text IS NULL OR collection_id = $5) ORDER BY id LIMIT $2) c
      ORDER BY c.id`,
    [after, QUERY_CHUNKS, LEXICON_VERSION, model?.space ?? null, collectionId],
  );
  return {
    chunks,
    stale: chunks.filter((chunk) => chunk.has_old_words || chunk.lacks_vector),
  };
}

/**
 * Deletes vectors of other spaces from collections whose chunks all have one in this space. Returns how many. Only
 * for operators: another process may still search in the old space.
 */
export async function dropOtherSpaces(collectionId: string | null, space: string): Promise<number> {
  const complete = await query<{ id: string }>(
    "documents_complete_in_space",
    `SELECT o.id FROM collection o WHERE ($1::text IS NULL OR o.id = $1)
        AND EXISTS (SELECT 1 FROM chunk_vector v WHERE v.collection_id = o.id AND v.space <> $2)
        AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.collection_id = o.id
              AND NOT EXISTS (SELECT 1 FROM chunk_vector v WHERE v.chunk_id = c.id AND v.space = $2))`,
    [collectionId, space],
  );
  let dropped = 0;
  for (const { id } of complete) {
    for (let some = DROP_BATCH; some === DROP_BATCH; dropped += some) {
      some = await dropBatch(id, space);
    }
  }
  return dropped;
}

async function dropBatch(collectionId: string, space: string): Promise<number> {
  const gone = await query(
    "documents_delete_vectors",
    `DELETE FROM chunk_vector v USING (SELECT chunk_id, space FROM chunk_vector
        WHERE collection_id = $1 AND space <> $2 LIMIT $3) AS old
      WHERE v.chunk_id = old.chunk_id AND v.space = old.space RETURNING 1`,
    [collectionId, space, DROP_BATCH],
  );
  return gone.length;
}
