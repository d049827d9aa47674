/** What something is found by. */
export interface Findable {
  name: string;
  /** Further words for it, which it does not show. */
  words?: string;
}

/** From how many letters on the middle of a word counts too: fewer are in almost everything. */
const MIDDLE_LETTERS = 3;

/** Those that match all words of a text, the best first; all of them as they are when nothing was asked. */
export function ranked<T extends Findable>(items: readonly T[], text: string): readonly T[] {
  return text.trim() === ""
    ? items
    : items
        .map((item) => ({ item, score: scoreOf(item, text) }))
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score)
        .map(({ item }) => item);
}

/** How well all words of a text match; 0: one of them does not. */
export function scoreOf({ name, words = "" }: Findable, text: string): number {
  const asked = wordsOf(text);
  const own = wordsOf(name);
  if (asked.length === 0) {
    return 0;
  }
  const others = wordsOf(words);
  const least = Math.min(...asked.map((word) => scoreOfWord(word, own, others)));
  if (least === 0) {
    return isInitials(asked, own) ? 1 : 0;
  }
  return least + (own.join(" ").startsWith(asked.join(" ")) ? 1 : 0);
}

function scoreOfWord(word: string, own: readonly string[], others: readonly string[]): number {
  if (own.includes(word)) {
    return 5;
  }
  if (own.some((mine) => mine.startsWith(word))) {
    return 4;
  }
  if (word.length >= MIDDLE_LETTERS && own.some((mine) => mine.includes(word))) {
    return 3;
  }
  return others.some((other) => other.startsWith(word)) ? 2 : 0;
}

/** Such as "ck" for "Create key". */
function isInitials(asked: readonly string[], own: readonly string[]): boolean {
  const [word = ""] = asked;
  const initials = own.map((mine) => mine.charAt(0)).join("");
  return asked.length === 1 && word.length > 1 && initials.startsWith(word);
}

/** Letters and figures alone, without case and accents. */
function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
