import type { Range } from "../places";

/** Syntax that Markdown may hide between two visible words: marks, list numbers, whitespace. */
const MARKS = /^[\s>|#*+\-=_~`:\\\d.)]*$/;

/** Thrown when Markdown's text can't be mapped to its source with certainty. */
export class Misplaced extends Error {
  override name = "Misplaced";
}

/**
 * Maps a parser's output to positions in its source. Visible text must appear in order, with only Markdown
 * syntax in between; otherwise it throws Misplaced.
 */
export class Cursor {
  #at = 0;
  /** The source with spaces for line breaks, as in inline code. */
  readonly #flat: string;
  readonly #lines: number[];

  constructor(readonly text: string) {
    this.#flat = text.replaceAll("\n", " ");
    this.#lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  /** Advances to this text. */
  take(words: string, isFlat = false): Range {
    const start = (isFlat ? this.#flat : this.text).indexOf(words, this.#at);
    if (start < 0 || !MARKS.test(this.text.slice(this.#at, start))) {
      throw new Misplaced("the words of the answer are not where they should be");
    }
    this.#at = start + words.length;
    return { start, end: this.#at };
  }

  /** Advances to the start of a line, counted from 0. */
  goToLine(line: number): void {
    this.#at = Math.max(this.#at, this.#lines[line] ?? this.text.length);
  }

  /** Throws unless only Markdown syntax is left. */
  end(): void {
    if (!MARKS.test(this.text.slice(this.#at))) {
      throw new Misplaced("the end of the answer is missing");
    }
  }
}
