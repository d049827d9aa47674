import "server-only";

import { queryUntil } from "@/lib/db/client";
import type { Collection } from "@/lib/documents/collections";
import { deletionKeys, termOfKey } from "@/lib/documents/term-keys";
import { deletionsOf, maxEdits } from "@/lib/text/spelling";
import { countIn, type WordStatistics } from "../query-terms";
import {
  type Correction,
  choose,
  misspelledWords,
  type Suggestion,
  suggest,
  type UnknownWord,
} from "../spelling";
import { readStatistics, type Scope } from "./retrievers";

/** A query's terms with their counts, after misspelled words were replaced by words of the collections. */
export interface CorrectedTerms<Statistics extends WordStatistics = WordStatistics> {
  terms: ReadonlyMap<number, number>;
  statistics: Statistics;
  corrections: Correction[];
}

/** Each of them has up to 47 deletions. */
const MOST_WITH_TWO_EDITS = 4;
/** Bounds the time in which words are compared with the query's. */
const MOST_SIMILAR = 500;

/** Queries the database only if a word of the query is in none of the collections. */
export async function correctTerms<Statistics extends WordStatistics>(
  signal: AbortSignal,
  {
    query,
    collections,
    scope,
  }: { query: string; collections: readonly Collection[]; scope: Omit<Scope, "depth"> },
  { terms, statistics }: { terms: ReadonlyMap<number, number>; statistics: Statistics },
): Promise<CorrectedTerms<Statistics>> {
  const unchanged = { terms, statistics, corrections: [] };
  const isUnknown = (term: number) => countIn(statistics, scope.collectionIds, term) === 0;
  const unknownTerms = new Set([...terms.keys()].filter(isUnknown));
  const unknown = unknownTerms.size > 0 ? misspelledWords(query, unknownTerms) : [];
  const suggestions = await findSuggestions(signal, scope, unknown);
  if (suggestions.size === 0) {
    return unchanged;
  }
  const suggested = new Set([...suggestions.values()].flat().map(({ term }) => term));
  const counted = await readStatistics(signal, collections, { terms: [...suggested], space: null });
  const countOf = (term: number) => countIn(counted, scope.collectionIds, term);
  const chosen = [...suggestions].flatMap(([from, some]) => {
    const to = choose(some, countOf);
    return to ? [{ from, to }] : [];
  });
  const { counts } = statistics;
  const merged = [...counts].map(
    ([id, own]) => [id, new Map([...own, ...(counted.counts.get(id) ?? [])])] as const,
  );
  return {
    terms: replaceTerms(terms, chosen),
    statistics: { ...statistics, counts: new Map(merged) },
    corrections: chosen.map(({ from, to }) => ({ from: from.written, to: to.word })),
  };
}

/** Looks for words that are two edits away only if none is nearer. */
async function findSuggestions(
  signal: AbortSignal,
  scope: Omit<Scope, "depth">,
  unknown: readonly UnknownWord[],
): Promise<Map<UnknownWord, Suggestion[]>> {
  const near = suggest(unknown, await readSimilar(signal, scope, { unknown, edits: 1 }), 1);
  const rest = unknown
    .filter((each) => !near.has(each) && maxEdits(each.word) > 1)
    .slice(0, MOST_WITH_TWO_EDITS);
  return new Map([
    ...near,
    ...suggest(rest, await readSimilar(signal, scope, { unknown: rest, edits: 2 }), 2),
  ]);
}

function replaceTerms(
  terms: ReadonlyMap<number, number>,
  chosen: readonly { from: UnknownWord; to: Suggestion }[],
): ReadonlyMap<number, number> {
  const replaced = new Map(terms);
  for (const { from, to } of chosen) {
    const count = replaced.get(from.term) ?? 0;
    replaced.delete(from.term);
    replaced.set(to.term, (replaced.get(to.term) ?? 0) + count);
  }
  return new Map([...replaced].sort(([a], [b]) => a - b));
}

/** Words of the collections that share a deletion with an unknown one, among them all that are similar enough. */
async function readSimilar(
  signal: AbortSignal,
  { collectionIds, accountIds }: Omit<Scope, "depth">,
  { unknown, edits }: { unknown: readonly UnknownWord[]; edits: number },
): Promise<{ word: string; term: number }[]> {
  if (unknown.length === 0) {
    return [];
  }
  const deletions = unknown.flatMap(({ word }) => [...deletionsOf(word, edits)]);
  const lengths = unknown.map(({ word }) => word.length);
  const rows = await queryUntil<{ collection_id: string; word: string; term_key: number }>(
    signal,
    "retrieval_similar_words",
    // The keys already select the collections; see `searchLexical`. The planner expects thousands of words for 37 keys and
    // starts parallel workers for the two that there are; `random` is a function that workers may not call.
    `SELECT v.collection_id, v.word, v.term_key FROM vocabulary v
      WHERE v.deletion_keys && $1::int[] AND v.collection_id || '' = ANY($2) AND v.account_id || '' = ANY($3)
        AND length(v.word) BETWEEN $4 AND $5 AND random() >= 0 LIMIT $6`,
    [
      collectionIds.flatMap((id) => deletionKeys(id, deletions)),
      collectionIds,
      accountIds,
      Math.min(...lengths) - edits,
      Math.max(...lengths) + edits,
      MOST_SIMILAR,
    ],
  );
  const words = rows.map(({ collection_id, word, term_key }) => ({
    word,
    term: termOfKey(collection_id, term_key),
  }));
  return [...new Map(words.map((each) => [`${each.term} ${each.word}`, each])).values()];
}
