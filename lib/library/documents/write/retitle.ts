import "server-only";

import { setImmediate } from "node:timers/promises";
import pLimit from "p-limit";
import { query, type Row, type Transaction } from "@/lib/platform/db/client";
import { processSingleton } from "@/lib/singleton";
import type { CollectionKey } from "../collections";
import { storeWeights, type WeighedChunk, weighChunk } from "./chunk-terms";

/** What one statement reads at most. */
const READ_CHUNKS = 500;

interface Passage extends Row {
  id: string;
  ordinal: number;
  collection_id: string;
  headings: string[];
  text: string;
}

/** One at a time, because each uses as much of the main thread as it gets. */
const retitling = processSingleton("retitling", () => pLimit(1));

/** Weighs the words of a document's passages under a new title. Embeddings keep the old title. */
export function weighTitled(
  documentId: string,
  title: string,
  signal: AbortSignal,
): Promise<WeighedChunk[]> {
  return retitling(async () => {
    const chunks: WeighedChunk[] = [];
    for (let page = await readFrom(documentId, 0); page.length > 0; ) {
      for (const passage of page) {
        signal.throwIfAborted();
        chunks.push(weighChunk(passage.collection_id, title, passage));
        await setImmediate();
      }
      page = await readFrom(documentId, (page.at(-1)?.ordinal ?? 0) + 1);
    }
    return chunks;
  });
}

function readFrom(documentId: string, ordinal: number): Promise<Passage[]> {
  return query<Passage>(
    "documents_passages_from",
    `SELECT id, ordinal, collection_id, headings, text FROM chunk
      WHERE document_id = $1 AND ordinal >= $2 ORDER BY ordinal LIMIT ${READ_CHUNKS}`,
    [documentId, ordinal],
  );
}

/**
 * Stores the new weights. Returns false, with nothing stored, if these aren't the document's passages anymore. The caller
 * holds the collection's lock.
 */
export async function storeRetitled(
  tx: Transaction,
  input: { id: string; collection: CollectionKey; chunks: readonly WeighedChunk[] },
): Promise<boolean> {
  const { id, collection, chunks } = input;
  const old = await tx.query<{ id: string; term_keys: number[] }>(
    "documents_terms_of",
    "SELECT id, term_keys FROM chunk WHERE document_id = $1 AND account_id = $2",
    [id, collection.accountId],
  );
  const ids = new Set(old.map((chunk) => chunk.id));
  if (chunks.length !== old.length || chunks.some(({ row }) => !ids.has(row.id))) {
    return false;
  }
  const removed = old.map(({ term_keys }) => term_keys);
  await storeWeights(tx, collection, { chunks, removed });
  return true;
}
