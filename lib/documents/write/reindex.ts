import "server-only";

import { setTimeout as sleep } from "node:timers/promises";
import { withAdvisoryLock } from "@/lib/db/advisory-lock";
import { query } from "@/lib/db/client";
import { type Embedder, embedder } from "@/lib/models/embedding";
import { LEXICON_VERSION } from "@/lib/text/bm25";
import { reindexChunks, type StaleChunk } from "./reindex-chunks";

/** A walk over all chunks, or one collection's, in the order of their ids. */
export interface ReindexCursor {
  collectionId: string | null;
  after: string;
  isOver: boolean;
  /** How many chunks it indexed or embedded again. */
  done: number;
}

/** How many chunks one look passes, and one call at most: a call ends soon though nothing is stale. */
const LOOK_CHUNKS = 2000;
const CALL_CHUNKS = 10_000;
/** Chunks are made with current words and vectors. A process of an older version may still make others. */
const NEXT_PASS_MS = 60 * 60 * 1000;
const WAIT_MS = 200;
const DROP_VECTORS = 5000;

/** This process's passes in the background, by what they look for. */
const passes = new Map<string, { pass: ReindexCursor; endedAt: number | null }>();

/**
 * Indexes and embeds again up to `limit` chunks that an older lexicon made or that have no vector of the
 * configured model; returns how many. Cheap when there are none: a pass looks at each chunk once, some
 * with each call, and the next one begins an hour after its end.
 */
export async function reindexSome(limit: number): Promise<number> {
  const { signal } = new AbortController();
  const model = await embedder(signal).catch(() => null);
  const space = model?.space ?? "";
  // Words in a pass of their own: they are indexed again whatever becomes of the embedding model.
  const words = await continueCycle(`${LEXICON_VERSION} words ${space}`, {
    limit,
    model: null,
    signal,
  });
  return words > 0 || !model ? words : continueCycle(`${space} vectors`, { limit, model, signal });
}

async function continueCycle(aim: string, work: Work): Promise<number> {
  const known = passes.get(aim);
  if (known?.endedAt && performance.now() - known.endedAt < NEXT_PASS_MS) {
    return 0;
  }
  const pass = known && !known.endedAt ? known.pass : createReindexCursor(null);
  const before = pass.done;
  try {
    await withAdvisoryLock(LOCK, () => advance(pass, work));
  } finally {
    // What it has passed over stays passed when it fails further on.
    passes.set(aim, { pass, endedAt: pass.isOver ? performance.now() : null });
  }
  return pass.done - before;
}

export function createReindexCursor(collectionId: string | null): ReindexCursor {
  return { collectionId, after: "", isOver: false, done: 0 };
}

/** Goes on with a pass, some chunks further; waits while another process does the same work. */
export async function continueReindex(pass: ReindexCursor, signal: AbortSignal): Promise<void> {
  const model = await embedder(signal);
  const walked = await withAdvisoryLock(LOCK, async () => {
    await advance(pass, { limit: LOOK_CHUNKS, model, signal });
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

async function advance(pass: ReindexCursor, work: Work): Promise<void> {
  const most = pass.done + work.limit;
  for (let looked = 0; looked < CALL_CHUNKS && pass.done < most && !pass.isOver; ) {
    const { chunks, stale } = await findStaleChunks(pass, work.model);
    const taken = stale.slice(0, most - pass.done);
    await reindexChunks(taken, work);
    pass.done += taken.length;
    const last = taken.length < stale.length ? taken.at(-1) : chunks.at(-1);
    pass.isOver = taken.length === stale.length && chunks.length < LOOK_CHUNKS;
    pass.after = last?.id ?? pass.after;
    looked += chunks.length;
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
    [after, LOOK_CHUNKS, LEXICON_VERSION, model?.space ?? null, collectionId],
  );
  return {
    chunks,
    stale: chunks.filter((chunk) => chunk.has_old_words || chunk.lacks_vector),
  };
}

/**
 * Takes away the vectors of other spaces where every chunk of the collection has one of this space; returns
 * how many. For an operator: another process may still search in the older space.
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
    for (let some = DROP_VECTORS; some === DROP_VECTORS; dropped += some) {
      some = await dropSome(id, space);
    }
  }
  return dropped;
}

async function dropSome(collectionId: string, space: string): Promise<number> {
  const gone = await query(
    "documents_delete_vectors",
    `DELETE FROM chunk_vector v USING (SELECT chunk_id, space FROM chunk_vector
        WHERE collection_id = $1 AND space <> $2 LIMIT $3) AS old
      WHERE v.chunk_id = old.chunk_id AND v.space = old.space RETURNING 1`,
    [collectionId, space, DROP_VECTORS],
  );
  return gone.length;
}
