import "server-only";

import { setImmediate } from "node:timers/promises";
import pLimit from "p-limit";
import { query, type Row, type Transaction } from "@/lib/platform/db/client";
import { lexicalText } from "@/lib/reading/describe";
import { processSingleton } from "@/lib/singleton";
import { passageWordsOf } from "@/lib/text/analyzer";
import { LEXICON_VERSION, termWeights } from "@/lib/text/bm25";
import { collectSpellable, type SpellableWords } from "@/lib/text/spelling";
import type { CollectionKey } from "../collections";
import { termKeys } from "../term-keys";
import { toWeightsSql } from "./index-document";
import { countTerms } from "./term-counts";
import { learnWords } from "./vocabulary";

/** Bounds on what is read and written at a time. */
const READ_CHUNKS = 500;
const STORE_CHUNKS = 500;

/** A passage's words, together with those of its document's new title. */
export interface TitledChunk {
  row: { id: string; term_keys: number[]; weights: string | null };
  spellable: SpellableWords;
}

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
): Promise<TitledChunk[]> {
  return retitling(async () => {
    const chunks: TitledChunk[] = [];
    for (let page = await readFrom(documentId, 0); page.length > 0; ) {
      for (const passage of page) {
        signal.throwIfAborted();
        chunks.push(weigh(title, passage));
        await setImmediate();
      }
      page = await readFrom(documentId, (page.at(-1)?.ordinal ?? 0) + 1);
    }
    return chunks;
  });
}

function weigh(title: string, passage: Passage): TitledChunk {
  const words = passageWordsOf(lexicalText(title, passage));
  const weights = termWeights(words);
  const spellable = new Map<string, number>();
  collectSpellable(words.words, spellable);
  const term_keys = termKeys(passage.collection_id, weights);
  return { row: { id: passage.id, term_keys, weights: toWeightsSql(weights) }, spellable };
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
  input: { id: string; collection: CollectionKey; chunks: readonly TitledChunk[] },
): Promise<boolean> {
  const { id, collection, chunks } = input;
  const old = await tx.query<{ id: string; term_keys: number[] }>(
    "documents_terms_of",
    "SELECT id, term_keys FROM chunk WHERE document_id = $1",
    [id],
  );
  const ids = new Set(old.map((chunk) => chunk.id));
  if (chunks.length !== old.length || chunks.some(({ row }) => !ids.has(row.id))) {
    return false;
  }
  for (let start = 0; start < chunks.length; start += STORE_CHUNKS) {
    const rows = chunks.slice(start, start + STORE_CHUNKS).map(({ row }) => row);
    await tx.query(
      "documents_store_titled",
      `UPDATE chunk c SET lexicon_version = $2, term_keys = r.term_keys, weights = r.weights::sparsevec
         FROM json_to_recordset($1::json) AS r(id text, term_keys int[], weights text) WHERE c.id = r.id`,
      [JSON.stringify(rows), LEXICON_VERSION],
    );
    await setImmediate();
  }
  await countTerms(tx, collection, {
    added: chunks.map(({ row }) => row.term_keys),
    removed: old.map(({ term_keys }) => term_keys),
  });
  await learnWords(
    tx,
    collection,
    chunks.map(({ spellable }) => spellable),
  );
  return true;
}
