import "server-only";

import { setImmediate } from "node:timers/promises";
import { query, type Row, type Session, transaction } from "@/lib/db/client";
import { log } from "@/lib/log";
import type { Embedder } from "@/lib/models/embedding";
import { LEXICON_VERSION, termWeights } from "@/lib/text/bm25";
import type { CollectionKey } from "../collections";
import { embeddingText } from "../describe";
import { termKeys } from "../term-keys";
import { countTerms, insertVectors } from "./index-document";
import { toVectorSql, toWeightsSql } from "./index-entry";

export interface StaleChunk extends Row {
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
  source_type: string;
}

/** The size of a transaction: uploads to the collection wait for it. */
const BATCH_CHUNKS = 100;
/** Any model that is available can embed this. */
const PROBE = "text";

interface Embedding {
  model: Embedder | null;
  signal: AbortSignal;
}

/** Reindexes chunks with the current lexicon, embeds them, or both, as each chunk needs. */
export async function reindexChunks(
  stale: readonly StaleChunk[],
  { model, signal }: Embedding,
): Promise<void> {
  for (const [id, chunks] of Map.groupBy(stale, (chunk) => chunk.collection_id)) {
    const collection = { id, accountId: chunks[0]?.account_id ?? "" };
    for (let start = 0; start < chunks.length; start += BATCH_CHUNKS) {
      signal.throwIfAborted();
      const batch = chunks.slice(start, start + BATCH_CHUNKS);
      await reindexTerms(collection, batch);
      if (model) {
        await embedMissing(collection, batch, { model, signal });
      }
    }
  }
}

async function reindexTerms(
  collection: CollectionKey,
  batch: readonly StaleChunk[],
): Promise<void> {
  const passages = await readPassages(batch.filter((chunk) => chunk.has_old_words));
  const rows: { id: string; term_keys: number[]; weights: string | null }[] = [];
  for (const passage of passages) {
    const weights = termWeights(embeddingText(passage.title, passage));
    const { id } = passage;
    rows.push({ id, term_keys: termKeys(collection.id, weights), weights: toWeightsSql(weights) });
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
  rows: readonly { id: string; term_keys: number[] }[],
): Promise<void> {
  await lock(tx, collection);
  const old = await tx.query<{ id: string; term_keys: number[] }>(
    "documents_outdated_terms",
    "SELECT id, term_keys FROM chunk WHERE id = ANY($1) AND lexicon_version <> $2",
    [rows.map(({ id }) => id), LEXICON_VERSION],
  );
  const ids = new Set(old.map(({ id }) => id));
  const changed = rows.filter(({ id }) => ids.has(id));
  await tx.query(
    "documents_reindex_terms",
    `UPDATE chunk c SET lexicon_version = $2, term_keys = r.term_keys, weights = r.weights::sparsevec
       FROM json_to_recordset($1::json) AS r(id text, term_keys int[], weights text) WHERE c.id = r.id`,
    [JSON.stringify(changed), LEXICON_VERSION],
  );
  await countTerms(tx, collection, {
    added: changed.map(({ term_keys }) => term_keys),
    removed: old.map(({ term_keys }) => term_keys),
  });
}

async function embedMissing(
  collection: CollectionKey,
  batch: readonly StaleChunk[],
  { model, signal }: { model: Embedder; signal: AbortSignal },
): Promise<void> {
  const passages = await readPassages(batch.filter((chunk) => chunk.lacks_vector));
  const points = passages.length > 0 ? await embedEach(passages, { model, signal }) : [];
  const rows = passages.flatMap(({ id, source_type }, index) => {
    const point = points[index];
    return point ? [{ space: model.space, id, source_type, embedding: toVectorSql(point) }] : [];
  });
  if (rows.length > 0) {
    await transaction(async (tx) => {
      await lock(tx, collection);
      const existing = await tx.query<{ id: string }>(
        "documents_still_there",
        "SELECT id FROM chunk WHERE id = ANY($1)",
        [rows.map(({ id }) => id)],
      );
      const ids = new Set(existing.map(({ id }) => id));
      await insertVectors(
        tx,
        collection,
        rows.filter(({ id }) => ids.has(id)),
      );
    });
  }
}

/** Skips passages that the model rejects. Throws if the model is unavailable. */
async function embedEach(
  passages: readonly Passage[],
  { model, signal }: { model: Embedder; signal: AbortSignal },
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
        `SELECT c.id, d.title, c.headings, c.text, c.source_type
           FROM chunk c JOIN document d ON d.id = c.document_id WHERE c.id = ANY($1) ORDER BY c.id`,
        [chunks.map(({ id }) => id)],
      );
}

async function lock(tx: Session, { id }: CollectionKey): Promise<void> {
  await tx.query("documents_lock", "SELECT id FROM collection WHERE id = $1 FOR UPDATE", [id]);
}
