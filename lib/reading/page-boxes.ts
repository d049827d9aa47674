/** A rectangle on a page as it is displayed: from 0 to 1, the origin at the top left. */
export interface PageRectangle {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** A range of a text, such as a word, and where it is shown. */
export interface TextBox extends PageRectangle {
  start: number;
  end: number;
  page: number;
}

/** Boxes as whole numbers, seven for each, because a document has millions of words. */
export type PackedBoxes = Int32Array;

/** The boxes of one page, encoded; ranges are those of the document's text. */
export interface PageBoxes {
  page: number;
  boxes: Uint8Array;
}

/** A page's width and height in units of packed boxes: finer than a pixel of a large screen. */
const UNITS = 10_000;
const FIELDS = 7;
const VARINT_BITS = 7;
const VARINT_MORE = 0x80;
const INITIAL_BYTES = 4096;

export function packBoxes(boxes: readonly TextBox[]): PackedBoxes {
  const toUnits = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * UNITS);
  return Int32Array.from(
    boxes.flatMap(({ start, end, page, x0, y0, x1, y1 }) => [
      ...[start, end, page],
      ...[x0, y0, x1, y1].map(toUnits),
    ]),
  );
}

/** The same boxes in a text in which each place `at` has moved to `move(at)`. */
export function movePacked(packed: PackedBoxes, move: (at: number) => number): PackedBoxes {
  return packed.map((value, index) => (index % FIELDS < 2 ? move(value) : value));
}

/** The boxes of all blocks by page. `starts`: where each block's text begins in the document's. */
export function encodePages(
  blocks: readonly { boxes?: PackedBoxes }[],
  starts: readonly number[],
): PageBoxes[] {
  const encoders = new Map<number, Encoder>();
  for (const [index, { boxes = new Int32Array() }] of blocks.entries()) {
    const origin = starts[index] ?? 0;
    for (let at = 0; at < boxes.length; at += FIELDS) {
      const [start = 0, end = 0, page = 1, x0 = 0, y0 = 0, x1 = 0, y1 = 0] = boxes.subarray(
        at,
        at + FIELDS,
      );
      const encoder = encoders.get(page) ?? new Encoder();
      encoders.set(page, encoder);
      encoder.add([origin + start, origin + end, x0, y0, x1, y1]);
    }
  }
  return [...encoders].map(([page, encoder]) => ({ page, boxes: encoder.take() }));
}

/** The boxes of a page that share a character with the range from `start` to `end`. */
export function decodeBoxes(
  { page, boxes }: PageBoxes,
  range: { start: number; end: number },
): TextBox[] {
  const decoder = new Decoder(boxes);
  const found: TextBox[] = [];
  while (decoder.hasMore()) {
    const [start, end, x0, y0, x1, y1] = decoder.next();
    if (start < range.end && end > range.start) {
      const [left, top, right, bottom] = [x0, y0, x1, y1].map((units) => units / UNITS);
      found.push({ start, end, page, x0: left, y0: top, x1: right, y1: bottom } as TextBox);
    }
  }
  return found;
}

/** What each number of a box is written as: the difference to what it likely is. */
type Numbers = [start: number, end: number, x0: number, y0: number, x1: number, y1: number];

function expected([start, , , y0, x1]: Numbers, next: Partial<Numbers>): Numbers {
  const [from = start, , left = x1, top = y0] = next;
  return [start, from, x1, y0, left, top];
}

/** Writes differences as variable-length integers: about eight bytes a word. */
class Encoder {
  #bytes = new Uint8Array(INITIAL_BYTES);
  #length = 0;
  #last: Numbers = [0, 0, 0, 0, 0, 0];

  add(box: Numbers): void {
    for (const [at, guess] of expected(this.#last, box).entries()) {
      this.#put((box[at] ?? 0) - guess);
    }
    this.#last = box;
  }

  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** The sign is the lowest bit, so that small negative numbers are short, too. */
  #put(value: number): void {
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    while (rest >= VARINT_MORE) {
      this.#push((rest % VARINT_MORE) + VARINT_MORE);
      rest = Math.floor(rest / VARINT_MORE);
    }
    this.#push(rest);
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }
}

class Decoder {
  readonly #bytes: Uint8Array;
  #at = 0;
  #last: Numbers = [0, 0, 0, 0, 0, 0];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  hasMore(): boolean {
    return this.#at < this.#bytes.length;
  }

  next(): Numbers {
    const box: number[] = [];
    for (let at = 0; at < this.#last.length; at += 1) {
      box.push((expected(this.#last, box as Partial<Numbers>)[at] ?? 0) + this.#take());
    }
    this.#last = box as Numbers;
    return this.#last;
  }

  #take(): number {
    let value = 0;
    let shift = 0;
    let byte = VARINT_MORE;
    while (byte >= VARINT_MORE) {
      byte = this.#bytes[this.#at] ?? 0;
      this.#at += 1;
      value += (byte % VARINT_MORE) * 2 ** shift;
      shift += VARINT_BITS;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

/** In heights of a line: a larger gap separates the boxes of a line, such as those of table cells. */
const MAX_GAP = 3;
/** The share of the lower height that two boxes of one line have in common. */
const MIN_SHARED = 0.5;
/** How far apart, as a share of their width, the sides of characters of one vertical column are. */
const COLUMN_SLACK = 0.1;

/** One box for the words of each line, in the order of the text. */
export function mergeLines(boxes: readonly TextBox[]): Omit<TextBox, "start" | "end">[] {
  const lines: Omit<TextBox, "start" | "end">[] = [];
  for (const { start: _, end: __, ...box } of boxes) {
    const line = lines.at(-1);
    if (line && line.page === box.page && isSameLine(line, box)) {
      line.x0 = Math.min(line.x0, box.x0);
      line.x1 = Math.max(line.x1, box.x1);
      line.y0 = Math.min(line.y0, box.y0);
      line.y1 = Math.max(line.y1, box.y1);
    } else {
      lines.push({ ...box });
    }
  }
  return lines;
}

function isSameLine(line: PageRectangle, box: PageRectangle): boolean {
  const height = Math.min(line.y1 - line.y0, box.y1 - box.y0);
  const shared = Math.min(line.y1, box.y1) - Math.max(line.y0, box.y0);
  const gap = Math.max(box.x0 - line.x1, line.x0 - box.x1);
  const slack = COLUMN_SLACK * (box.x1 - box.x0);
  const isColumn =
    Math.abs(line.x0 - box.x0) <= slack &&
    Math.abs(line.x1 - box.x1) <= slack &&
    Math.max(box.y0 - line.y1, line.y0 - box.y1) < height;
  return (shared > MIN_SHARED * height && gap < MAX_GAP * height) || isColumn;
}
