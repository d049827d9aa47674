/** Converts between UTF-16 offsets and Unicode code point offsets of a text. */
export class CodePoints {
  #astral: number[];

  constructor(text: string) {
    this.#astral = [...text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)].map(({ index }) => index);
  }

  /** The code point offset of a UTF-16 offset; half a surrogate pair counts as none. */
  toCodePoint(offset: number): number {
    return offset - this.#count((start) => start < offset);
  }

  toOffset(codePoints: number): number {
    return codePoints + this.#count((start, at) => start - at < codePoints);
  }

  /** Binary search: the number of leading entries for which `holds` is true. */
  #count(holds: (start: number, at: number) => boolean): number {
    let low = 0;
    let high = this.#astral.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(this.#astral[middle] ?? 0, middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
