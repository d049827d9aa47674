/**
 * A text that may still be growing. If a reader asks for a character that hasn't arrived, `needsMore` is set
 * and its decision has to be retried; otherwise the decision holds whatever follows. Reads past `limit` return
 * "", so no decision waits longer than that.
 */
export class Lookahead {
  needsMore = false;

  constructor(
    private readonly text: string,
    private readonly limit: number,
    private readonly isComplete: boolean,
  ) {}

  charAt(index: number): string {
    if (index >= this.limit) {
      return "";
    }
    if (index >= this.text.length && !this.isComplete) {
      this.needsMore = true;
    }
    return this.text.charAt(index);
  }

  skipBlanks(index: number, most = Number.POSITIVE_INFINITY): number {
    let at = index;
    while (at - index < most && isBlank(this.charAt(at))) {
      at += 1;
    }
    return at;
  }

  startsWith(index: number, text: string): boolean {
    return [...text].every((character, at) => this.charAt(index + at) === character);
  }

  letters(index: number, most: number): string {
    let word = "";
    let next = this.charAt(index);
    while (word.length < most && isLetter(next)) {
      word += next;
      next = this.charAt(index + word.length);
    }
    return word;
  }
}

/** With those that have no width, which models write by accident. */
const BLANKS = " \t\u00a0\u200b\u200c\u200d\u2060\ufeff";

export function isBlank(character: string): boolean {
  return character !== "" && BLANKS.includes(character);
}

/** Without the blanks at its end. */
export function trimBlanks(text: string): string {
  let end = text.length;
  while (isBlank(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(0, end);
}

/** Most characters are ASCII, which needs no lookup in Unicode's tables. */
function isLetter(character: string): boolean {
  return character < "\u0080" ? /[a-z]/i.test(character) : /\p{L}/u.test(character);
}
