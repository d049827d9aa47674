/**
 * Text whose end may still be to come. A reader that never asked for a character beyond the end decides
 * the same whatever follows; one that did is told to come back. Past its limit a window is empty, so that
 * no decision can wait for more than so many characters.
 */
export class Window {
  /** Whether a character was asked for that has not come yet. */
  wantsMore = false;

  constructor(
    private readonly text: string,
    private readonly limit: number,
    private readonly isWhole: boolean,
  ) {}

  at(index: number): string {
    if (index >= this.limit) {
      return "";
    }
    if (index >= this.text.length && !this.isWhole) {
      this.wantsMore = true;
    }
    return this.text.charAt(index);
  }

  /** The first place from here on that holds no blank. */
  skipBlanks(index: number): number {
    let at = index;
    while (isBlank(this.at(at))) {
      at += 1;
    }
    return at;
  }

  /** The run of letters that begins here, at most so many. */
  letters(index: number, most: number): string {
    let end = index;
    let word = "";
    for (let next = this.at(end); word.length < most && isLetter(next); next = this.at(end)) {
      word += next;
      end += 1;
    }
    return word;
  }
}

function isBlank(character: string): boolean {
  return character === " " || character === "\t" || character === "\u00a0";
}

/** Most of what is asked about is ASCII, and tells without a look at Unicode's tables. */
function isLetter(character: string): boolean {
  return character < "\u0080" ? /[a-z]/i.test(character) : /\p{L}/u.test(character);
}
