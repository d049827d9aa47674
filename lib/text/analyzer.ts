import { createHash } from "node:crypto";
import stem from "wink-porter2-stemmer";
import stopWords from "./stop-words.json" with { type: "json" };

/** Common words that say nothing about a text's subject. */
const STOP_WORDS = new Set(
  (
    "a about above after again against all also am an and any are as at be because been before being below " +
    "between both but by can cannot could did do does doing down during each either else ever every few for " +
    "from further get gets give given had has have having he her here hers him his how however i if in into " +
    "is it its itself just kind let like made make many may me might more most much must my neither no nor " +
    "not of off often on once one only or other our out over own per please same shall she should so some " +
    "such tell than that the their them themselves then there these they this those through to too under " +
    "until up upon us use used uses using usually very was we were what when where whether which while who " +
    "whom whose why will with within without would you your yours"
  ).split(" "),
);

/** The dimensions of the term space: pgvector's maximum for sparse vectors. */
export const TERM_SPACE = 1_000_000_000;

const stems = new Map<string, string>();
const ids = new Map<string, number>();
const CACHE_SIZE = 50_000;
/** Longer than any English word. The stemmer takes seconds for a long run of letters. */
const LONGEST_WORD = 45;

/** The terms of a text in order, with repeats: case-folded, without stop words, stemmed (porter2). */
export function termsOf(text: string): string[] {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:['’.][\p{L}\p{N}]+)*/gu) ?? [];
  return words
    .map((word) => word.replace(/['’]s?$|['’]s(?=\.|$)/u, ""))
    .filter((word) => word && !STOP_WORDS.has(word))
    .map(stemOf);
}

/** A term's dimension, from 1 to TERM_SPACE. */
export function termId(term: string): number {
  return memoize(ids, term, () => {
    const digest = createHash("sha1").update(term).digest();
    return (digest.readUInt32BE(0) % TERM_SPACE) + 1;
  });
}

function stemOf(word: string): string {
  return memoize(stems, word, () => {
    const isWord = word.length <= LONGEST_WORD && /^[a-z]+$/.test(word);
    return isWord ? stem(word) : word;
  });
}

/** Caches `make` by word, in a bounded cache. */
function memoize<T>(cache: Map<string, T>, word: string, make: () => T): T {
  const known = cache.get(word);
  if (known !== undefined) {
    return known;
  }
  if (cache.size >= CACHE_SIZE) {
    cache.clear();
  }
  const made = make();
  cache.set(word, made);
  return made;
}
