import type { Range } from "../places";

/** What Markdown may hide between two visible words: marks, list numbers, whitespace. */
const MARKS = /^[\s>|#*+\-=_~`:\\\d.)]*$/;

/** Thrown when Markdown's text can't be mapped to its source with certainty. */
export class Misplaced extends Error {
  override name = "Misplaced";
}

/**
 * Follows a parser through its text, so that each of its words is known by place: all it shows comes in
 * order, and what it leaves out are marks. Throws Misplaced where that does not hold.
 */
export class Cursor {
  #at = 0;
  /** With blanks for line breaks, as code inside a line has them. */
  readonly #flat: string;
  readonly #lines: number[];

  constructor(readonly text: string) {
    this.#flat = text.replaceAll("\n", " ");
    this.#lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  /** Goes on to these words. */
  take(words: string, isFlat = false): Range {
    const start = (isFlat ? this.#flat : this.text).indexOf(words, this.#at);
    if (start < 0 || !MARKS.test(this.text.slice(this.#at, start))) {
      throw new Misplaced("the words of the answer are not where they should be");
    }
    this.#at = start + words.length;
    return { start, end: this.#at };
  }

  /** Goes on to the beginning of a line, counted from 0. */
  goToLine(line: number): void {
    this.#at = Math.max(this.#at, this.#lines[line] ?? this.text.length);
  }

  /** Nothing but marks may be left. */
  end(): void {
    if (!MARKS.test(this.text.slice(this.#at))) {
      throw new Misplaced("the end of the answer is missing");
    }
  }
}
