import { CHECKED, UNCHECKED } from "@/lib/text/unasserted";
import { type Box, boundsOf, type Word } from "./geometry";

/** The sides of a form's boxes, in points, and by how much they may differ and miss each other. */
const MIN_SIDE = 4.5;
const MAX_SIDE = 17;
const SLACK = 1.5;
/** In em: how high a box is, and how far before or behind its option it stands. */
const MIN_HEIGHT = 0.45;
const MAX_HEIGHT = 1.7;
const MAX_DISTANCE = 1.5;
/** A page with more of them is a plot or a table of small cells. */
const MAX_BOXES = 400;
/** The share of a box's side that what is drawn in it takes at least. */
const MIN_MARK = 0.3;
/** Letters and signs that check a box. */
const CHECK = /^[xX✓✔✗✘×■●]$/;

interface Shapes {
  outlines: readonly Box[];
  strokes: readonly Box[];
  marks: readonly Box[];
}

/** Words with the boxes of a form that a page draws as shapes beside them, checked if anything is drawn or set in them. */
export function withDrawnBoxes(words: readonly Word[], shapes: Shapes): Word[] {
  const sides = shapes.strokes.filter((side) => isSide(longest(side)));
  const squares = [...shapes.outlines, ...sidesToSquares(sides)].filter(isSquare);
  if (squares.length === 0 || squares.length > MAX_BOXES) {
    return [...words];
  }
  const boxes = squares.flatMap((box) => {
    const isCell = shapes.strokes.some(
      (line) => longest(line) > 1.6 * longest(box) && touches(line, box),
    );
    const inside = words.filter((word) => isWithin(word, box));
    const option =
      isCell || inside.some(({ text }) => !CHECK.test(text)) ? null : optionOf(box, words);
    return option ? [{ box, inside, option }] : [];
  });
  const gone = new Set(boxes.flatMap(({ inside }) => inside));
  return [
    ...words.filter((word) => !gone.has(word)),
    ...boxes.map(({ box, inside, option }) =>
      toSign(box, option, inside.length > 0 || hasMark(box, shapes)),
    ),
  ];
}

function isSide(length: number): boolean {
  return length >= MIN_SIDE && length <= MAX_SIDE;
}

function longest({ x0, x1, y0, y1 }: Box): number {
  return Math.max(x1 - x0, y1 - y0);
}

function isSquare({ x0, x1, y0, y1 }: Box): boolean {
  return isSide(x1 - x0) && Math.abs(x1 - x0 - (y1 - y0)) <= SLACK;
}

/** The squares that four lines make. */
function sidesToSquares(sides: readonly Box[]): Box[] {
  const isLevel = ({ x0, x1, y0, y1 }: Box) => x1 - x0 > y1 - y0;
  const near = (a: number, b: number) => Math.abs(a - b) <= SLACK;
  const uprights = sides.filter((side) => !isLevel(side)).slice(0, 2 * MAX_BOXES);
  return sides
    .filter(isLevel)
    .slice(0, 2 * MAX_BOXES)
    .flatMap((top) => {
      const isBelow = ({ x0, x1, y0, y1 }: Box) =>
        near(y0, top.y1) &&
        near(y1 - y0, top.x1 - top.x0) &&
        (near(x0, top.x0) || near(x1, top.x1));
      const [one, other] = uprights.filter(isBelow);
      return one && other && !near(one.x0, other.x0) ? [boundsOf([top, one, other])] : [];
    });
}

function touches(line: Box, { x0, x1, y0, y1 }: Box): boolean {
  return line.x0 <= x1 + 1 && line.x1 >= x0 - 1 && line.y0 <= y1 + 1 && line.y1 >= y0 - 1;
}

function isWithin(inner: Box, { x0, x1, y0, y1 }: Box): boolean {
  const [x, y] = [(inner.x0 + inner.x1) / 2, (inner.y0 + inner.y1) / 2];
  return x > x0 && x < x1 && y > y0 - 1 && y < y1 + 1 && inner.x1 - inner.x0 <= 1.3 * (x1 - x0);
}

/** Whether something other than its own sides is drawn in a box. */
function hasMark(box: Box, { strokes, marks }: Shapes): boolean {
  const side = longest(box);
  const isInside = (shape: Box) => {
    const x = (shape.x0 + shape.x1) / 2;
    const y = (shape.y0 + shape.y1) / 2;
    const isCentral = Math.min(x - box.x0, box.x1 - x, y - box.y0, box.y1 - y) > 0.2 * side;
    return isCentral && longest(shape) >= MIN_MARK * side && longest(shape) <= 1.4 * side;
  };
  return marks.some(isInside) || strokes.some(isInside);
}

/** The word behind a box, or else before it. */
function optionOf(box: Box, words: readonly Word[]): Word | null {
  const middle = (box.y0 + box.y1) / 2;
  const height = box.y1 - box.y0;
  const level = words.filter(
    ({ base, size }) =>
      middle > base - 0.9 * size &&
      middle < base + 0.2 * size &&
      height >= MIN_HEIGHT * size &&
      height <= MAX_HEIGHT * size,
  );
  const within = (gap: number, size: number) => gap > -1 && gap <= MAX_DISTANCE * size;
  return (
    level.find(({ x0, size }) => within(x0 - box.x1, size)) ??
    level.find(({ x1, size }) => within(box.x0 - x1, size)) ??
    null
  );
}

function toSign({ x0, x1 }: Box, option: Word, isChecked: boolean): Word {
  const { base, y0, y1, size, isBold, isHidden, order } = option;
  const place = { x0, x1, y0, y1, base, size, order: order + (option.x0 > x0 ? -0.5 : 0.5) };
  return { text: isChecked ? CHECKED : UNCHECKED, ...place, isBold, isHidden };
}
