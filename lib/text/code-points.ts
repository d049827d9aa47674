/** Tells UTF-16 offsets of a text and counts of its Unicode code points apart; made in one pass. */
export class CodePoints {
  /** Where each character of two units begins, as a UTF-16 offset. */
  #wide: number[];

  constructor(text: string) {
    this.#wide = [...text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)].map(({ index }) => index);
  }

  /** The code points before a UTF-16 offset; half a character counts as none. */
  toCodePoint(offset: number): number {
    return offset - this.#count((start) => start < offset);
  }

  /** The UTF-16 offset after so many code points. */
  toOffset(codePoints: number): number {
    return codePoints + this.#count((start, at) => start - at < codePoints);
  }

  /** How many of the first wide characters hold; those that do come first. */
  #count(holds: (start: number, at: number) => boolean): number {
    let low = 0;
    let high = this.#wide.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.#wide[middle] ?? 0, middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
