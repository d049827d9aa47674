import "server-only";

import { setImmediate } from "node:timers/promises";
import type { Session } from "@/lib/platform/db/client";
import { lexicalText } from "@/lib/reading/describe";
import { passageWordsOf } from "@/lib/text/analyzer";
import { LEXICON_VERSION, termWeights } from "@/lib/text/bm25";
import { collectSpellable, type SpellableWords } from "@/lib/text/spelling";
import type { CollectionKey } from "../collections";
import { termKeys } from "../term-keys";
import { toWeightsSql } from "./index-document";
import { countTerms } from "./term-counts";
import { learnWords } from "./vocabulary";

/** What one statement stores at most. */
const STORE_CHUNKS = 500;

/** A passage's words, together with those of its document's title. */
export interface WeighedChunk {
  row: { id: string; term_keys: number[]; weights: string | null };
  spellable: SpellableWords;
}

/** Weighs the words of a passage under a title. */
export function weighChunk(
  collectionId: string,
  title: string,
  passage: { id: string; headings: string[]; text: string },
): WeighedChunk {
  const words = passageWordsOf(lexicalText(title, passage));
  const weights = termWeights(words);
  const spellable = new Map<string, number>();
  collectSpellable(words.words, spellable);
  const term_keys = termKeys(collectionId, weights);
  return { row: { id: passage.id, term_keys, weights: toWeightsSql(weights) }, spellable };
}

/** Stores weights in place of those with the term keys `removed`. The caller holds the collection's lock. */
export async function storeWeights(
  tx: Session,
  collection: CollectionKey,
  { chunks, removed }: { chunks: readonly WeighedChunk[]; removed: readonly number[][] },
): Promise<void> {
  for (let start = 0; start < chunks.length; start += STORE_CHUNKS) {
    const rows = chunks.slice(start, start + STORE_CHUNKS).map(({ row }) => row);
    await tx.query(
      "documents_store_weights",
      `UPDATE chunk c SET lexicon_version = $2, term_keys = r.term_keys, weights = r.weights::sparsevec
         FROM json_to_recordset($1::json) AS r(id text, term_keys int[], weights text)
        WHERE c.id = r.id AND c.account_id = $3`,
      [JSON.stringify(rows), LEXICON_VERSION, collection.accountId],
    );
    await setImmediate();
  }
  const added = chunks.map(({ row }) => row.term_keys);
  await countTerms(tx, collection, { added, removed });
  const spellable = chunks.map((chunk) => chunk.spellable);
  await learnWords(tx, collection, spellable);
}
