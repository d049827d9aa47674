import { createHash } from "node:crypto";
import stem from "wink-porter2-stemmer";
import { memoized } from "./memoized";
import stopWords from "./stop-words.json" with { type: "json" };

const STOP_WORDS = new Set(stopWords);

/** Dimensions of the term space: pgvector's maximum for sparse vectors. */
export const TERM_SPACE = 1_000_000_000;

const CACHE_SIZE = 50_000;
/** The stemmer is very slow on long runs of letters; no English word is longer than this. */
const MAX_WORD_LENGTH = 45;

/** The content terms of a text in order, with repeats: folded, without stop words, stemmed (porter2). */
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

/** The term's dimension in the sparse space, from 1 to TERM_SPACE. */
export const termId = memoized(CACHE_SIZE, (term) => {
  const digest = createHash("sha1").update(term).digest();
  return (digest.readUInt32BE(0) % TERM_SPACE) + 1;
});

const stemOf = memoized(CACHE_SIZE, (word) =>
  word.length <= MAX_WORD_LENGTH && /^[a-z]+$/.test(word) ? stem(word) : word,
);
