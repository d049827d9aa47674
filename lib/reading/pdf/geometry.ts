import type { PageRectangle } from "../page-boxes";
import type { Block } from "../parse/block";

/** A rectangle on a page as it is read: x grows to the right, y downward, in points. */
export interface Box {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

/** A word, or another run of characters without a space, with its style. */
export interface Word extends Box {
  text: string;
  /** The y of its baseline. */
  base: number;
  size: number;
  isBold: boolean;
  /** Whether all characters of its font are as wide. */
  isMono?: boolean;
  isHidden: boolean;
  isStruck?: boolean;
  /** Whether no space is before it, and the signs before it are raised or it is. */
  isGlued?: boolean;
  /** Whether a shape was painted over it. */
  isCovered?: boolean;
  /** Of slanted text: by how much it rises, in radians. Its place is that of level text. */
  slope?: number;
  /** Its place in the file, which is often the order of reading. */
  order: number;
  /** Where it is on the page as displayed; absent for what isn't a word of the page. */
  place?: PageRectangle;
  /** The rows of a table that takes the word's place in the layout. */
  table?: PlacedRow[];
}

/** A row of a table as text, with the words in it. */
export interface PlacedRow extends Block {
  words: readonly Word[];
}

/** A row of a table. */
export interface Row {
  cells: string[];
  /** The cells as names of columns: a merged one names all of its columns. */
  names: string[];
  isHidden: boolean;
  words: readonly Word[];
}

/** A page's own coordinates, in which y grows upward. */
export interface PageBox {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** How many quarters of a turn, counterclockwise, a text is turned on its page. */
export type Turn = 0 | 1 | 2 | 3;

/** A point of the page as it lies once text turned by `turn` is upright. */
export function toUpright(
  { left, bottom, right, top }: PageBox,
  turn: Turn,
  [x, y]: readonly [number, number],
): [number, number] {
  switch (turn) {
    case 0:
      return [x - left, top - y];
    case 1:
      return [y - bottom, x - left];
    case 2:
      return [right - x, y - bottom];
    default:
      return [top - y, right - x];
  }
}

export function uprightBox(page: PageBox, turn: Turn, box: PageBox): Box {
  const [ax, ay] = toUpright(page, turn, [box.left, box.bottom]);
  const [bx, by] = toUpright(page, turn, [box.right, box.top]);
  return {
    x0: Math.min(ax, bx),
    x1: Math.max(ax, bx),
    y0: Math.min(ay, by),
    y1: Math.max(ay, by),
  };
}

/** A point of an upright page, once text that rises by `slope` radians is level. */
export function level([x, y]: readonly [number, number], slope: number): [number, number] {
  const [cos, sin] = [Math.cos(slope), Math.sin(slope)];
  return [x * cos - y * sin, x * sin + y * cos];
}

/** A box of a skewed page, which has no text at other angles, with its size and its middle where level text is. */
export function levelBox(box: Box, slope: number): Box {
  if (slope === 0) {
    return box;
  }
  const [x, y] = level([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2], slope);
  const [width, height] = [(box.x1 - box.x0) / 2, (box.y1 - box.y0) / 2];
  return { x0: x - width, x1: x + width, y0: y - height, y1: y + height };
}

/** The smallest box around others; empty at the origin if there are none. */
export function boundsOf(boxes: readonly Box[]): Box {
  const [first] = boxes;
  const bounds = first
    ? { x0: first.x0, x1: first.x1, y0: first.y0, y1: first.y1 }
    : { x0: 0, x1: 0, y0: 0, y1: 0 };
  for (const { x0, x1, y0, y1 } of boxes) {
    bounds.x0 = Math.min(bounds.x0, x0);
    bounds.x1 = Math.max(bounds.x1, x1);
    bounds.y0 = Math.min(bounds.y0, y0);
    bounds.y1 = Math.max(bounds.y1, y1);
  }
  return bounds;
}

/** How far two boxes overlap in height; negative if they are apart. */
export function sharedHeight(a: Box, b: Box): number {
  return Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
}

/** The middle value; 0 without values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
