import { TIERS, termKey } from "@/lib/library/documents/term-keys";
import { readPacks } from "@/lib/packs";
import { termId, termsOf } from "@/lib/text/analyzer";
import { languageTerm, type QueryWord } from "@/lib/text/bm25";
import { LATIN_LANGUAGES, type LatinLanguage } from "@/lib/text/languages";
import askingWords from "./asking-words.json" with { type: "json" };
import framingWords from "./framing-words.json" with { type: "json" };

/** How many chunks of one collection have each term key. */
export type KeyCounts = ReadonlyMap<number, number>;

/** Sizes of the collections, and how common each term key is in them. */
export interface WordStatistics {
  /** Chunks of each collection. */
  sizes: ReadonlyMap<string, number>;
  counts: ReadonlyMap<string, KeyCounts>;
}

export interface WeightedTerm {
  term: number;
  /** Inverse document frequency times the square root of the term's count in the query. */
  weight: number;
}

/** Virtual chunks without any query term. Without them every word of a one-document collection would seem common. */
const PRIOR_CHUNKS = 1000;
/** About how many chunks a search scores at most, over all its collections. */
const CANDIDATE_BUDGET = 4000;
/** Measured on SciFact: BM25 / (scale · √Σidf) is distributed like a cosine. */
const COSINE_SCALE = 22;
/** A term's BM25 saturation reaches this at most, times its idf: K1 + 1. */
export const MAX_SATURATION = 2.2;
/** A query of one word needs less similarity than others, so that it finds whatever has that word. */
const ONE_WORD = 0.3;
/** If the collections have only one of a query's words, it finds passages about that word, and few that just mention it. */
const ONE_OF_MORE = 0.6;
/** How much more the rarest words of a query count than the rest. */
const WORDS_POWER = 3.1;
/** A longer query always has a rare term, so it doesn't need the tiers of common ones. */
const MAX_TIERED_TERMS = 32;
/** "Who must not take metformin?": a verb that phrases a question. A passage that answers it need not have it. */
const FRAMING = new Set(termsOf(framingWords.join(" ")).map(termId));
const FRAMING_COUNTS = 0.3;
const BESIDES_COUNTS = 0.5;
/** "Is asthma curable?": words that ask about a subject, and that say little of how similar a passage is. */
const ASKING = new Set([
  ...FRAMING,
  ...termsOf([...askingWords, ...readPacks("questions").asking].join(" ")).map(termId),
  ...numbers(),
]);
/** Not English, which any collection can have. */
const LANGUAGE_TERMS = new Map<LatinLanguage, number>(
  LATIN_LANGUAGES.filter((language) => language !== "en").map((language) => [
    language,
    languageTerm(language),
  ]),
);

/** The terms of a query's words, and of the languages that they may be in. */
export function termsToCount(words: readonly QueryWord[]): number[] {
  const languages = new Set(words.flatMap(({ terms }) => [...terms.values()].flat()));
  const languageTerms = [...languages].map((language) => LANGUAGE_TERMS.get(language) ?? []);
  return [...new Set(words.flatMap(({ terms }) => [...terms.keys()]).concat(languageTerms.flat()))];
}

/** The keys whose counts a query needs in a collection, for the terms of so many words: of each term, from tier 0. */
export function keysOf(
  collectionId: string,
  terms: readonly number[],
  words = terms.length,
): number[][] {
  const tiers = words > MAX_TIERED_TERMS ? 0 : TIERS.length;
  return terms.map((term) =>
    Array.from({ length: tiers + 1 }, (_, tier) => termKey(collectionId, term, tier)),
  );
}

/**
 * The terms to search for, with their counts: those of the collections' languages. A word's terms that no passage has
 * are left out if it has others.
 */
export function selectTerms(
  words: readonly QueryWord[],
  statistics: WordStatistics,
): Map<number, number> {
  const isIn = (term: number) => frequencyOf(statistics, term) > 0;
  const languages = new Set<LatinLanguage>(
    [...LANGUAGE_TERMS].flatMap(([language, term]) => (isIn(term) ? language : [])),
  );
  languages.add("en");
  const selected = new Map<number, number>();
  for (const { count, terms } of words) {
    const usable = [...terms].flatMap(([term, of]) =>
      of.some((language) => languages.has(language)) ? term : [],
    );
    const known = usable.filter(isIn);
    for (const term of known.length > 0 ? known : usable.slice(0, 1)) {
      selected.set(term, (selected.get(term) ?? 0) + count);
    }
  }
  return new Map([...selected].sort(([a], [b]) => a - b));
}

/** How many chunks of the collections have a term. */
export function countIn(
  { counts }: WordStatistics,
  collectionIds: Iterable<string>,
  term: number,
): number {
  const each = Array.from(collectionIds, (id) => counts.get(id)?.get(termKey(id, term, 0)) ?? 0);
  return sum(each);
}

/**
 * Weighs the query's terms, given with their counts, by how rare they are in all counted collections. Leaves out terms
 * that the searched ones don't have, which would only lower the similarity of every passage.
 */
export function weighTerms(
  terms: ReadonlyMap<number, number>,
  statistics: WordStatistics,
  searchedIds: readonly string[],
): WeightedTerm[] {
  const total = PRIOR_CHUNKS + sum(statistics.sizes.values());
  return [...terms]
    .filter(([term]) => countIn(statistics, searchedIds, term) > 0)
    .map(([term, count]) => {
      const frequency = countIn(statistics, statistics.counts.keys(), term);
      return weighTerm({ term, count }, { frequency, total });
    });
}

/** `frequency`: how many of `total` chunks have the term, of which the query has `count`. */
export function weighTerm(
  { term, count }: { term: number; count: number },
  { frequency, total }: { frequency: number; total: number },
): WeightedTerm {
  const idf = Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
  return { term, weight: idf * Math.sqrt(count) * (FRAMING.has(term) ? FRAMING_COUNTS : 1) };
}

/** The words of a drug's class, which together count less than the drug, whose own passages come first. */
export function countBesides(terms: readonly number[]): [term: number, count: number][] {
  return terms.map((term) => [term, BESIDES_COUNTS / terms.length]);
}

/**
 * What a passage must be similar to: the query's own terms, or if no passage has one, those of a drug's class. `terms`:
 * all of them, of which `besides` aren't the query's own.
 */
export function similarTo(
  weighted: readonly WeightedTerm[],
  { terms, besides }: { terms: ReadonlyMap<number, number>; besides: ReadonlySet<number> },
): { weighted: readonly WeightedTerm[]; words: number } {
  const asked = weighted.filter(({ term }) => !besides.has(term));
  const telling = [...terms.keys()].filter((term) => !ASKING.has(term));
  return asked.length > 0
    ? { weighted: asked, words: telling.filter((term) => !besides.has(term)).length }
    : { weighted, words: telling.length };
}

/**
 * A candidate must have one of these keys: those of the rarest terms, as many as fit the budget. For a term that is
 * too common, only the chunks that use it most.
 */
export function candidateKeys(
  collectionId: string,
  terms: readonly number[],
  { counts, budget }: { counts: KeyCounts; budget: number },
): number[] {
  const options = terms
    .map((term) => tiersOf(collectionId, term, counts))
    .filter((tiers) => tiers.length > 0)
    .sort((a, b) => (a[0]?.count ?? 0) - (b[0]?.count ?? 0));
  const chosen: number[] = [];
  let left = budget;
  for (const tiers of options) {
    const fitting = tiers.find(({ count }) => count <= left);
    if (fitting) {
      chosen.push(fitting.key);
      left -= fitting.count;
    }
  }
  const smallest = options.map((tiers) => tiers.at(-1)).find(Boolean);
  return chosen.length > 0 || !smallest ? chosen : [smallest.key];
}

/** A collection's share of the candidates. */
export function budgetFor(collections: number): number {
  return Math.ceil(CANDIDATE_BUDGET / Math.max(1, collections));
}

/**
 * Converts BM25 to a similarity from 0 to 1, to 4 places, that is comparable across queries. It multiplies how much of
 * the query a passage covers by how many of its rarest words the score amounts to: a line of small talk shares a
 * word with some passage of any collection, but seldom two, and seldom one of its title. The powers were fitted so that
 * 0.3 keeps what is relevant. `words`: how many of the query's words don't just
 * ask about a subject, with those that no passage has.
 */
export function similarityOf(score: number, all: readonly WeightedTerm[], words: number): number {
  const telling = all.filter(({ term }) => !ASKING.has(term));
  const terms = telling.length > 0 ? telling : all;
  const rarest = Math.max(0, ...terms.map(({ weight }) => weight));
  const amount = rarest > 0 ? score / (MAX_SATURATION * rarest) : 0;
  const single = words > 1 ? ONE_OF_MORE : ONE_WORD;
  const expected = terms.length === 1 ? single : 1;
  const similarity =
    1 - Math.exp(-Math.sqrt(lexicalCosine(score, terms) * amount ** WORDS_POWER) / expected);
  return Math.round(similarity * 10_000) / 10_000;
}

function lexicalCosine(score: number, terms: readonly WeightedTerm[]): number {
  const total = sum(terms.map(({ weight }) => weight));
  return total > 0 ? score / (COSINE_SCALE * Math.sqrt(total)) : 0;
}

/** A term's keys that occur, from all its chunks to the few that use it most. */
function tiersOf(collectionId: string, term: number, counts: KeyCounts) {
  return Array.from({ length: TIERS.length + 1 }, (_, tier) => {
    const key = termKey(collectionId, term, tier);
    return { key, count: counts.get(key) ?? 0 };
  }).filter(({ count }) => count > 0);
}

/** How many chunks of the counted collections have a term. */
function frequencyOf(statistics: WordStatistics, term: number): number {
  return sum(
    statistics.counts
      .entries()
      .map(([collectionId, counts]) => counts.get(termKey(collectionId, term, 0)) ?? 0),
  );
}

/** "I took 10 warfarin", "an HbA1c of 6.2": a number is rare in any collection, and says nothing of what is asked about. */
function numbers(): number[] {
  return Array.from({ length: 1000 }, (_, number) => [
    termId(String(number)),
    termId((number / 10).toFixed(1)),
  ]).flat();
}

function sum(values: Iterable<number>): number {
  return Iterator.from(values).reduce((total, value) => total + value, 0);
}
