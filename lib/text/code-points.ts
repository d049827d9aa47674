/** Converts between UTF-16 offsets and Unicode code point offsets of a text. */
export class CodePoints {
  #astral: number[];

  constructor(text: string) {
    this.#astral = [...text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)].map(({ index }) => index);
  }

  /** The code point offset of a UTF-16 offset; half a surrogate pair counts as none. */
  toCodePoint(offset: number): number {
    return offset - countLeading(this.#astral, (start) => start < offset);
  }

  toOffset(codePoints: number): number {
    return codePoints + countLeading(this.#astral, (start, at) => start - at < codePoints);
  }
}

/** Binary search: the number of leading entries for which `holds` is true. */
export function countLeading<Entry>(
  entries: readonly Entry[],
  holds: (entry: Entry, at: number) => boolean,
): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(entries[middle] as Entry, middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
