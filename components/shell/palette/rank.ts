export interface Findable {
  name: string;
  /** Further words that match, but are not shown. */
  keywords?: string;
}

/** Shorter texts match only the start of a word, because they occur inside almost every word. */
const MIN_INFIX_LETTERS = 3;

/** The items that match every word of a text, best first. An empty text matches all, in their order. */
export function rank<T extends Findable>(items: readonly T[], text: string): readonly T[] {
  return text.trim() === ""
    ? items
    : items
        .map((item) => ({ item, score: scoreOf(item, text) }))
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score)
        .map(({ item }) => item);
}

/** How well an item matches every word of a text; 0 if one does not match. */
export function scoreOf({ name, keywords = "" }: Findable, text: string): number {
  const typed = wordsOf(text);
  const own = wordsOf(name);
  if (typed.length === 0) {
    return 0;
  }
  const others = wordsOf(keywords);
  const least = Math.min(...typed.map((word) => scoreOfWord(word, own, others)));
  if (least === 0) {
    return isInitials(typed, own) ? 1 : 0;
  }
  return least + (own.join(" ").startsWith(typed.join(" ")) ? 1 : 0);
}

function scoreOfWord(word: string, own: readonly string[], others: readonly string[]): number {
  if (own.includes(word)) {
    return 5;
  }
  if (own.some((mine) => mine.startsWith(word))) {
    return 4;
  }
  if (word.length >= MIN_INFIX_LETTERS && own.some((mine) => mine.includes(word))) {
    return 3;
  }
  return others.some((other) => other.startsWith(word)) ? 2 : 0;
}

/** Such as "ck" for "Create key". */
function isInitials(typed: readonly string[], own: readonly string[]): boolean {
  const [word = ""] = typed;
  const initials = own.map((mine) => mine.charAt(0)).join("");
  return typed.length === 1 && word.length > 1 && initials.startsWith(word);
}

/** Letters and digits, without case and accents. */
function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
