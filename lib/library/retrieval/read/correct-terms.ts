import "server-only";

import { type Collection, isWhole, packsOf } from "@/lib/library/documents/collections";
import type { SearchedCollections } from "@/lib/library/documents/read/selection";
import { findSimilarWords } from "@/lib/library/documents/read/vocabulary";
import { deletionsOf, maxEdits } from "@/lib/text/spelling";
import { type NameChoice, type NamedOtherwise, namedOtherwise, nameFor } from "../other-names";
import { countBesides, countIn, type WordStatistics } from "../query-terms";
import {
  type Correction,
  choose,
  misspelledQuestionWords,
  misspelledWords,
  type Suggestion,
  suggest,
  type UnknownWord,
} from "../spelling";
import { readStatistics } from "./retrievers";

/** Collections whose packs know the same other names for a query's words. */
interface NamedAlike {
  collections: readonly Collection[];
  names: readonly NamedOtherwise[];
}

/**
 * A query's terms with their counts, after misspelled words were replaced by words of the collections, and brand names and
 * abbreviations by the other names that some of the collections know.
 */
export interface CorrectedTerms<Statistics extends WordStatistics = WordStatistics> {
  /** Which collections are searched for these terms. */
  collections: readonly Collection[];
  terms: ReadonlyMap<number, number>;
  /** The terms that come from a drug's class and not from the query. */
  besides: ReadonlySet<number>;
  statistics: Statistics;
  corrections: Correction[];
}

/** Each of them has up to 47 deletions. */
const MAX_WITH_TWO_EDITS = 4;

/** Where to search, and for what. */
interface Searched {
  query: string;
  collections: readonly Collection[];
  scope: SearchedCollections;
}

/** Queries the database only if a word of the query is in none of the collections, or has another name. */
export function correctTerms<Statistics extends WordStatistics>(
  signal: AbortSignal,
  searched: Searched,
  read: { terms: ReadonlyMap<number, number>; statistics: Statistics },
): Promise<CorrectedTerms<Statistics>[]> {
  return Promise.all(
    groupByNames(searched).map(async (group) => {
      const named = await replaceNames(signal, searched, { read, group });
      const spelled = await correctSpelling(signal, searched, named);
      const corrections = [...named.corrections, ...spelled.corrections];
      return { ...named, ...spelled, corrections };
    }),
  );
}

/** Few queries have a name that only some of the collections know. Only those are searched group by group. */
function groupByNames({ query, collections }: Searched): NamedAlike[] {
  const namesIn = ({ scope }: Collection) =>
    packsOf(scope).flatMap((pack) => namedOtherwise(query, pack));
  const groups = Map.groupBy(collections, (each) =>
    namesIn(each)
      .map(({ written }) => written)
      .join("\n"),
  );
  return [...groups.values()].map((group) => ({
    collections: group,
    names: group.slice(0, 1).flatMap(namesIn),
  }));
}

async function replaceNames<Statistics extends WordStatistics>(
  signal: AbortSignal,
  { collections: counted }: Searched,
  {
    read: { terms, statistics },
    group: { collections, names },
  }: {
    read: { terms: ReadonlyMap<number, number>; statistics: Statistics };
    group: NamedAlike;
  },
): Promise<CorrectedTerms<Statistics>> {
  const named = names.filter((each) => each.terms.every((term) => terms.has(term)));
  if (named.length === 0) {
    return { collections, terms, besides: new Set(), statistics, corrections: [] };
  }
  const others = named.flatMap((each) =>
    [...each.others, ...each.classes].flatMap((other) => other.terms),
  );
  const all = await countAlso(signal, { collections: counted, statistics }, new Set(others));
  const ids = collections.map(({ id }) => id);
  const countOf = (term: number) => countIn(all, ids, term);
  const chosen = named.map((from) => ({ from, ...nameFor(from, countOf) }));
  const replaced = replaceTerms(
    terms,
    chosen.flatMap(({ from, instead }) => (instead ? { from: from.terms, to: instead.terms } : [])),
  );
  const besides = chosen.flatMap((each) => countBesides(each.besides?.terms ?? []));
  return {
    collections,
    terms: new Map([...besides, ...replaced].sort(byTerm)),
    besides: new Set(besides.flatMap(([term]) => (replaced.has(term) ? [] : term))),
    statistics: all,
    corrections: chosen.flatMap(namedCorrections),
  };
}

function namedCorrections({
  from: { written },
  instead,
  besides,
}: NameChoice & { from: NamedOtherwise }): Correction[] {
  const replaced = instead ? [{ from: written, to: instead.name }] : [];
  const known = instead?.name ?? written;
  return besides ? [...replaced, { from: known, to: besides.name, isBesides: true }] : replaced;
}

async function correctSpelling<Statistics extends WordStatistics>(
  signal: AbortSignal,
  { query, collections, scope }: Searched,
  { terms, statistics }: { terms: ReadonlyMap<number, number>; statistics: Statistics },
): Promise<Pick<CorrectedTerms<Statistics>, "terms" | "statistics" | "corrections">> {
  const isUnknown = (term: number) => countIn(statistics, scope.collectionIds, term) === 0;
  const unknownTerms = new Set([...terms.keys()].filter(isUnknown));
  const phrased = unknownTerms.size > 0 ? misspelledQuestionWords(query, unknownTerms) : [];
  const left = new Map(terms);
  for (const { from } of phrased) {
    unknownTerms.delete(from.term);
    left.delete(from.term);
  }
  const corrections = phrased.map(({ from, to }) => ({ from: from.written, to }));
  const unknown = unknownTerms.size > 0 ? misspelledWords(query, unknownTerms) : [];
  const suggestions = await findSuggestions(signal, scope, unknown);
  if (suggestions.size === 0) {
    return { terms: left, statistics, corrections };
  }
  const suggested = new Set([...suggestions.values()].flat().map(({ term }) => term));
  const all = await countAlso(signal, { collections, statistics }, suggested);
  const countOf = (term: number) => countIn(all, scope.collectionIds, term);
  const chosen = [...suggestions].flatMap(([from, some]) => {
    const to = choose(some, countOf);
    return to ? [{ from, to }] : [];
  });
  return {
    terms: replaceTerms(
      left,
      chosen.map(({ from, to }) => ({ from: [from.term], to: [to.term] })),
    ),
    statistics: all,
    corrections: [
      ...corrections,
      ...chosen.map(({ from, to }) => ({ from: from.written, to: to.word })),
    ],
  };
}

/** The statistics with the counts of further terms. */
async function countAlso<Statistics extends WordStatistics>(
  signal: AbortSignal,
  { collections, statistics }: { collections: readonly Collection[]; statistics: Statistics },
  terms: ReadonlySet<number>,
): Promise<Statistics> {
  const counted = await readStatistics(signal, collections, { terms: [...terms], space: null });
  const merged = [...statistics.counts].map(
    ([id, own]) => [id, new Map([...own, ...(counted.counts.get(id) ?? [])])] as const,
  );
  return { ...statistics, counts: new Map(merged) };
}

/** Looks for words that are two edits away only if none is nearer. */
async function findSuggestions(
  signal: AbortSignal,
  scope: SearchedCollections,
  unknown: readonly UnknownWord[],
): Promise<Map<UnknownWord, Suggestion[]>> {
  const near = suggest(unknown, await readSimilar(signal, scope, { unknown, edits: 1 }), 1);
  const rest = unknown
    .filter((each) => !near.has(each) && maxEdits(each.word) > 1)
    .slice(0, MAX_WITH_TWO_EDITS);
  return new Map([
    ...near,
    ...suggest(rest, await readSimilar(signal, scope, { unknown: rest, edits: 2 }), 2),
  ]);
}

function replaceTerms(
  terms: ReadonlyMap<number, number>,
  chosen: readonly { from: readonly number[]; to: readonly number[] }[],
): ReadonlyMap<number, number> {
  const replaced = new Map(terms);
  for (const { from, to } of chosen) {
    const count = Math.min(...from.map((term) => replaced.get(term) ?? 0));
    for (const term of from) {
      replaced.set(term, (replaced.get(term) ?? 0) - count);
    }
    for (const term of to) {
      replaced.set(term, (replaced.get(term) ?? 0) + count);
    }
  }
  const left = [...replaced].filter(([, count]) => count > 0);
  return new Map(left.sort(byTerm));
}

function byTerm([one]: readonly [number, number], [other]: readonly [number, number]): number {
  return one - other;
}

/**
 * Words of the collections that share a deletion with an unknown one, among them all that are similar enough. A word of a
 * collection that isn't searched as a whole may be one of a document that the caller may not read.
 */
async function readSimilar(
  signal: AbortSignal,
  { collectionIds, accountIds, bound }: SearchedCollections,
  { unknown, edits }: { unknown: readonly UnknownWord[]; edits: number },
): Promise<{ word: string; term: number }[]> {
  const whole = collectionIds.filter((id) => isWhole(id, bound));
  if (unknown.length === 0 || whole.length === 0) {
    return [];
  }
  const lengths = unknown.map(({ word }) => word.length);
  const words = await findSimilarWords(signal, {
    collectionIds: whole,
    accountIds,
    deletions: unknown.flatMap(({ word }) => [...deletionsOf(word, edits)]),
    shortest: Math.min(...lengths) - edits,
    longest: Math.max(...lengths) + edits,
  });
  return [...new Map(words.map((each) => [`${each.term} ${each.word}`, each])).values()];
}
