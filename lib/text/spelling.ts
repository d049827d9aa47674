import { termId, type Word } from "./analyzer";

/** Longer heads have more deletions; with shorter ones, thousands of words that start with "immuno" would be alike. */
const HEAD_LENGTH = 10;
const LONG_WORD = 8;
/** Only in scripts in which a word is a run of single letters. Short words have too many neighbors. */
const SPELLABLE = /^(?:\p{Script=Latin}{4,32}|\p{Script=Greek}{4,32}|\p{Script=Cyrillic}{4,32})$/u;
/** More than a textbook has. A document of random letters can't fill the vocabulary. */
const MAX_DISTINCT = 50_000;

/** Words that can be suggested, each with the dimension of its term. */
export type SpellableWords = ReadonlyMap<string, number>;

/** Whether a word, as `wordsOf` returns it, can be suggested or corrected. */
export function isSpellable(word: string): boolean {
  return SPELLABLE.test(word);
}

/** Adds the spellable words of a passage to those of its document. */
export function collectSpellable(words: readonly Word[], into: Map<string, number>): void {
  for (const { word, term } of words) {
    if (into.size < MAX_DISTINCT && !into.has(word) && isSpellable(word)) {
      into.set(word, termId(term));
    }
  }
}

/** How many edits away from a word its correct spelling may be. */
export function maxEdits(word: string): number {
  return word.length < LONG_WORD ? 1 : 2;
}

/**
 * The start of a word without up to so many of its letters. Words that are at most so many edits apart have one of
 * them in common (symmetric deletion, as in SymSpell), so that similar words are found by equality. Two letters are
 * left out only after the first: words that differ in it as well are rarely the same.
 */
export function deletionsOf(word: string, edits: number): ReadonlySet<string> {
  const head = word.slice(0, HEAD_LENGTH);
  const lacksOne = withoutOne(head, 1);
  const lacksTwo = edits > 1 ? lacksOne.flatMap((deletion) => withoutOne(deletion, 1)) : [];
  return new Set([head, ...withoutOne(head, 0), ...lacksTwo]);
}

/** A word without each of its letters from the given place. */
function withoutOne(word: string, from: number): string[] {
  const places = Array.from(word.slice(from), (_, index) => from + index);
  return places.map((place) => word.slice(0, place) + word.slice(place + 1));
}

/** How many letters must be inserted, deleted, replaced or swapped with their neighbor to turn one word into the other. */
export function editsBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (last[column - 1] ?? 0) + Number(from[row - 1] !== to[column - 1]);
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : replaced;
      const added = Math.min(last[column] ?? 0, current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, swapped, added));
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
