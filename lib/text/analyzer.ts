import { createHash } from "node:crypto";
import stem from "wink-porter2-stemmer";
import stopWords from "./stop-words.json" with { type: "json" };

/** Words that questions are made of and that tell nothing of their subject. */
const STOP_WORDS = new Set(stopWords);

/** The dimensions of the term space: the largest sparse vector pgvector holds. */
export const TERM_SPACE = 1_000_000_000;

const stems = new Map<string, string>();
const ids = new Map<string, number>();
const CACHE_SIZE = 50_000;
/** The stemmer takes seconds over a long run of letters; no English word is longer than this. */
const LONGEST_WORD = 45;

/** The content terms of a text, in their order, repeats kept: folded, stopped, stemmed (porter2). */
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

/** A term's dimension in the sparse space, from 1 to TERM_SPACE. */
export function termId(term: string): number {
  return remembered(ids, term, () => {
    const digest = createHash("sha1").update(term).digest();
    return (digest.readUInt32BE(0) % TERM_SPACE) + 1;
  });
}

function stemOf(word: string): string {
  return remembered(stems, word, () => {
    const isWord = word.length <= LONGEST_WORD && /^[a-z]+$/.test(word);
    return isWord ? stem(word) : word;
  });
}

/** What `make` gives for a word, made once as long as the words seen are not too many. */
function remembered<T>(cache: Map<string, T>, word: string, make: () => T): T {
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
