import "server-only";

import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { type Embedder, embedder } from "@/lib/models/embedding";
import { withAdvisoryLock } from "@/lib/platform/db/advisory-lock";
import { query, type Row, type Session, transaction } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { embeddingText } from "@/lib/reading/describe";
import { LEXICON_VERSION } from "@/lib/text/bm25";
import type { CollectionKey } from "../collections";
import { storeWeights, type WeighedChunk, weighChunk } from "./chunk-terms";
import { insertVectors, toVectorRow } from "./index-document";
import { inPieces } from "./pieces";

/** The position of a reindex over all chunks, or one collection's, by id. */
export interface ReindexCursor {
  collectionId: string | null;
  after: string;
  isDone: boolean;
  /** How many chunks were reindexed or embedded. */
  done: number;
}

export interface Work {
  limit: number;
  model: Embedder | null;
  signal: AbortSignal;
}

type Embedding = { model: Embedder; signal: AbortSignal };

/** Chunks per query, and per call at most, so that a call ends soon even if nothing is stale. */
const QUERY_CHUNKS = 2000;
const CALL_CHUNKS = 10_000;
const WAIT_MS = 200;
/** The size of a transaction that reindexes terms: uploads to the collection wait for it. */
const BATCH_CHUNKS = 100;
/** Any model that is available can embed this. */
const PROBE = "text";

export function createReindexCursor(collectionId: string | null): ReindexCursor {
  return { collectionId, after: "", isDone: false, done: 0 };
}

/** Continues a reindex by some chunks. Waits while another process is reindexing. */
export async function continueReindex(cursor: ReindexCursor, signal: AbortSignal): Promise<void> {
  const model = await embedder(signal);
  const work = { limit: QUERY_CHUNKS, model, signal };
  if (!(await withAdvisoryLock("reindex", () => advance(cursor, work).then(() => true)))) {
    await sleep(WAIT_MS);
  }
}

/** Returns how many chunks it reindexed or embedded. Another call of this process may advance the same cursor. */
export async function advance(cursor: ReindexCursor, work: Work): Promise<number> {
  let done = 0;
  for (let checked = 0; checked < CALL_CHUNKS && done < work.limit && !cursor.isDone; ) {
    const { chunks, stale } = await findStaleChunks(cursor, work.model);
    const taken = stale.slice(0, work.limit - done);
    await reindexChunks(cursor, taken, work);
    done += taken.length;
    const last = taken.length < stale.length ? taken.at(-1) : chunks.at(-1);
    cursor.isDone = taken.length === stale.length && chunks.length < QUERY_CHUNKS;
    cursor.after = last?.id ?? cursor.after;
    checked += chunks.length;
  }
  return done;
}

async function findStaleChunks(
  { collectionId, after }: ReindexCursor,
  model: Embedder | null,
): Promise<{ chunks: StaleChunk[]; stale: StaleChunk[] }> {
  const chunks = await query<StaleChunk>(
    "documents_find_stale_chunks",
    `SELECT c.id, c.collection_id, c.account_id, c.lexicon_version <> $3 AS has_old_words,
            $4::text IS NOT NULL AND NOT EXISTS
              (SELECT 1 FROM chunk_vector v
                WHERE v.chunk_id = c.id AND v.account_id = c.account_id AND v.space = $4) AS lacks_vector
       FROM (SELECT id, collection_id, account_id, lexicon_version FROM chunk
              WHERE id > $1 AND ($5::text IS NULL OR collection_id = $5) ORDER BY id LIMIT $2) c
      ORDER BY c.id`,
    [after, QUERY_CHUNKS, LEXICON_VERSION, model?.space ?? null, collectionId],
  );
  const stale = chunks.filter((chunk) => chunk.has_old_words || chunk.lacks_vector);
  return { chunks, stale };
}

interface StaleChunk extends Row {
  id: string;
  collection_id: string;
  account_id: string;
  has_old_words: boolean;
  lacks_vector: boolean;
}

interface Passage extends Row {
  id: string;
  title: string;
  headings: string[];
  text: string;
}

/** Reindexes chunks with the current lexicon, embeds them, or both, as each chunk needs. */
async function reindexChunks(
  cursor: ReindexCursor,
  stale: readonly StaleChunk[],
  { model, signal }: Work,
): Promise<void> {
  for (const [id, chunks] of Map.groupBy(stale, (chunk) => chunk.collection_id)) {
    const collection = { id, accountId: chunks[0]?.account_id ?? "" };
    await inPieces(chunks, async (piece) => {
      for (let start = 0; start < piece.length; start += BATCH_CHUNKS) {
        signal.throwIfAborted();
        await reindexTerms(collection, piece.slice(start, start + BATCH_CHUNKS));
      }
      if (model) {
        await embedMissing(collection, piece, { model, signal });
      }
      cursor.done += piece.length;
    });
  }
}

/** How many chunks a reindex of all or of one collection has to do. */
export async function countStale(
  { collectionId }: ReindexCursor,
  model: Embedder | null,
): Promise<number> {
  const [row] = await query<{ stale: number }>(
    "documents_count_stale_chunks",
    `SELECT count(*)::int AS stale FROM chunk c
      WHERE ($1::text IS NULL OR collection_id = $1) AND (lexicon_version <> $2 OR $3::text IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM chunk_vector v WHERE v.chunk_id = c.id AND v.account_id = c.account_id AND v.space = $3))`,
    [collectionId, LEXICON_VERSION, model?.space ?? null],
  );
  return row?.stale ?? 0;
}

async function reindexTerms(
  collection: CollectionKey,
  batch: readonly StaleChunk[],
): Promise<void> {
  const passages = await readPassages(batch.filter((chunk) => chunk.has_old_words));
  const rows: WeighedChunk[] = [];
  for (const passage of passages) {
    rows.push(weighChunk(collection.id, passage.title, passage));
    await setImmediate();
  }
  if (rows.length > 0) {
    await transaction((tx) => storeTerms(tx, collection, rows));
  }
}

/** Skips chunks that were deleted or reindexed meanwhile. */
async function storeTerms(
  tx: Session,
  collection: CollectionKey,
  chunks: readonly WeighedChunk[],
): Promise<void> {
  await lock(tx, collection);
  const old = await tx.query<{ id: string; term_keys: number[] }>(
    "documents_outdated_terms",
    "SELECT id, term_keys FROM chunk WHERE id = ANY($1) AND account_id = $3 AND lexicon_version <> $2",
    [chunks.map(({ row }) => row.id), LEXICON_VERSION, collection.accountId],
  );
  const ids = new Set(old.map(({ id }) => id));
  const changed = chunks.filter(({ row }) => ids.has(row.id));
  const removed = old.map(({ term_keys }) => term_keys);
  await storeWeights(tx, collection, { chunks: changed, removed });
}

async function embedMissing(
  collection: CollectionKey,
  batch: readonly StaleChunk[],
  { model, signal }: Embedding,
): Promise<void> {
  const passages = await readPassages(batch.filter((chunk) => chunk.lacks_vector));
  const points = passages.length > 0 ? await embedEach(passages, { model, signal }) : [];
  const rows = passages.flatMap((passage, index) => {
    const point = points[index];
    return point ? [{ id: passage.id, row: toVectorRow(passage.id, model.space, point) }] : [];
  });
  if (rows.length > 0) {
    await transaction(async (tx) => {
      await lock(tx, collection);
      const existing = await tx.query<{ id: string }>(
        "documents_still_there",
        "SELECT id FROM chunk WHERE id = ANY($1) AND account_id = $2",
        [rows.map(({ id }) => id), collection.accountId],
      );
      const ids = new Set(existing.map(({ id }) => id));
      const kept = rows.filter(({ id }) => ids.has(id)).map(({ row }) => row);
      await insertVectors(tx, collection, kept);
    });
  }
}

/** Skips passages that the model rejects. Throws if the model is unavailable. */
async function embedEach(
  passages: readonly Passage[],
  { model, signal }: Embedding,
): Promise<(Float32Array | undefined)[]> {
  const texts = passages.map((passage) => embeddingText(passage.title, passage));
  try {
    return await model.embedPassages(texts, signal);
  } catch {
    await model.embedPassages([PROBE], signal);
  }
  const points: (Float32Array | undefined)[] = [];
  for (const text of texts) {
    const [point] = await model.embedPassages([text], signal).catch(() => []);
    signal.throwIfAborted();
    points.push(point);
  }
  const chunks = passages.filter((_, index) => !points[index]).map(({ id }) => id);
  log.warn({ chunks }, "embedding model rejected chunks");
  return points;
}

async function readPassages(chunks: readonly StaleChunk[]): Promise<Passage[]> {
  return chunks.length === 0
    ? []
    : query<Passage>(
        "documents_passages",
        `SELECT c.id, d.title, c.headings, c.text
           FROM chunk c JOIN document d ON d.id = c.document_id AND d.account_id = c.account_id
          WHERE c.id = ANY($1) ORDER BY c.id`,
        [chunks.map(({ id }) => id)],
      );
}

async function lock(tx: Session, { id, accountId }: CollectionKey): Promise<void> {
  await tx.query(
    "documents_lock",
    "SELECT id FROM collection WHERE id = $1 AND account_id = $2 FOR UPDATE",
    [id, accountId],
  );
}
