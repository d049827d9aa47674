import { type Box, boundsOf, median, type Word } from "./geometry";
import { UNSPACED } from "./lines";

/** Words on one line without a wide gap between them. */
export interface Segment extends Box {
  words: Word[];
  base: number;
  order: number;
  text: string;
  /** The number of its line on the page. */
  line: number;
}

/** What lies beside a gutter. */
export interface Sides {
  left: readonly Segment[];
  right: readonly Segment[];
  /** In how many lines the gutter shows, and its width in em. */
  rows: number;
  width: number;
  /** Whether the words' order is the author's, and not of text recognition, which takes a table's columns one by one. */
  isOrderKnown: boolean;
}

/** A line of prose is at least so long; characters of Chinese and Japanese count double. */
const PROSE_CHARACTERS = 18;
const PROSE_SHARE = 0.7;
/** How many lines with a gap show columns without prose on both sides. */
const MIN_ROWS_OF_LISTS = 5;
const WORDS = /\p{L}{2}/u;
/** The same of blocks of centered lines, such as a paper's authors, and boxes of words, which the file has one by one. */
const MIN_ROWS_OF_BLOCKS = 3;
const ALTERNATION_OF_BLOCKS = 0.25;
/** In points: how far apart the middles of centered lines may be. */
const MIDDLE = 3;
/** How often the file may change sides, as a share of how often it would if it went line by line. */
const ALTERNATION_OF_PROSE = 0.45;
const SURE_ALTERNATION = 0.15;
const NUMERIC_SHARE = 0.35;
const NUMERIC = /^[\s\d.,:;%$€£()+\-–/]*$/;
/** In em: spaces of fewer justified lines may lie one below the other, and seem a gutter up to this width. */
const MIN_ROWS = 4;
const RIVER_WIDTH = 1.3;
/** The share of lines that continue the one above them, as their first letter shows. */
const FLOW_SHARE = 0.5;
const MIN_FLOWING = 2;
const CONTINUES = /^["'“‘(]?\p{Ll}/u;
const CASED = /^["'“‘([]?[\p{Lu}\p{Ll}]/u;
/** A larger step between lines, as a multiple of the usual one, is a break. */
export const BREAK = 1.25;
/** In em: a wider gap on one side of a gutter lies between cells. */
const CELL_GAP = 1.3;
/** In em: how far apart the first lines of one row may be. */
const LEVEL = 0.35;
/** How many breaks, and what share of them, are level on both sides where rows stand one below the other. */
const MIN_LEVEL_BREAKS = 2;
const LEVEL_SHARE = 0.6;
const LEVEL_SHARE_OF_CELLS = 0.8;
/** A file that changes sides so often, as a share of the lines, has them one by one, which shows nothing. */
const BY_LINE_SHARE = 0.65;

/** Whether text is read down the left side before the right one, and not line by line as in a table. */
export function areColumns({ left, right, rows, width, isOrderKnown }: Sides): boolean {
  const alternation = alternationOf(left, right, rows);
  const [a, b] = [linesOfSide(left), linesOfSide(right)];
  if (isProse(a) && isProse(b)) {
    const isRiver = rows < MIN_ROWS && width < RIVER_WIDTH;
    const isLikely = alternation <= ALTERNATION_OF_PROSE || (!isRiver && flows(a) && flows(b));
    const isTable = areRows(a, b) || goesByRows(left, right);
    return alternation <= SURE_ALTERNATION || (isLikely && !isTable);
  }
  return isOrderKnown && areLists({ left, right, rows, alternation });
}

/** Whether sides that aren't prose are lists, blocks of centered lines or boxes of words. */
function areLists({
  left,
  right,
  rows,
  alternation,
}: Pick<Sides, "left" | "right" | "rows"> & { alternation: number }): boolean {
  const sides = [left, right];
  const areNumbers = sides.some(
    (side) => side.filter(({ text }) => NUMERIC.test(text)).length >= side.length * NUMERIC_SHARE,
  );
  const isBlock = alternation <= ALTERNATION_OF_BLOCKS && sides.map(linesOfSide).some(isCentered);
  const isLong = rows >= MIN_ROWS_OF_LISTS && alternation <= SURE_ALTERNATION;
  const isBox = alternation <= 0 && sides.every(areWords);
  return !areNumbers && (isLong || (rows >= MIN_ROWS_OF_BLOCKS && (isBlock || isBox)));
}

function areWords(side: readonly Segment[]): boolean {
  return side.every(({ text }) => WORDS.test(text));
}

/** Whether lines of different lengths have one middle, as the name and the address of an author. */
export function isCentered(lines: readonly Segment[][]): boolean {
  const boxes = lines.map(boundsOf);
  const middles = boxes.map(({ x0, x1 }) => (x0 + x1) / 2);
  const widths = boxes.map(({ x0, x1 }) => x1 - x0);
  const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  return spread(middles) <= MIDDLE && spread(widths) > 2 * MIDDLE;
}

/** The lines of one side, from top to bottom, each from its first to its last segment. */
export function linesOfSide(side: readonly Segment[]): Segment[][] {
  return [...Map.groupBy(side, ({ line }) => line).values()]
    .map((line) => line.toSorted((a, b) => a.x0 - b.x0))
    .sort(([a], [b]) => (a?.base ?? 0) - (b?.base ?? 0));
}

function isProse(lines: readonly Segment[][]): boolean {
  const pieces = lines.flatMap(piecesOf);
  const long = pieces.filter((text) => sizeOf(text) >= PROSE_CHARACTERS && !isFigures(text));
  const sum = (texts: readonly string[]) => texts.reduce((size, text) => size + sizeOf(text), 0);
  return sum(long) >= sum(pieces) * PROSE_SHARE;
}

/** Whether fewer of its characters are letters than digits, as in rows of phone numbers and dates. */
function isFigures(text: string): boolean {
  return (text.match(/\p{Nd}/gu)?.length ?? 0) > (text.match(/\p{L}/gu)?.length ?? 0);
}

function sizeOf(text: string): number {
  return text.length * (UNSPACED.test(text) ? 2 : 1);
}

/** The segments of a line, joined where the gap between them may be a space of a justified line. */
export function piecesOf(line: readonly Segment[]): string[] {
  const pieces: string[] = [];
  for (const [at, { x0, y0, y1, text }] of line.entries()) {
    const before = line[at - 1];
    const isJoined = before && x0 - before.x1 < CELL_GAP * (y1 - y0);
    pieces.push(isJoined ? `${pieces.pop()} ${text}` : text);
  }
  return pieces;
}

/** Whether most lines continue the one above them. Scripts without capitals show nothing. */
function flows(lines: readonly Segment[][]): boolean {
  const starts = lines.slice(1).map(([first]) => first?.text ?? "");
  const cased = starts.filter((text) => CASED.test(text));
  const continuing = cased.filter((text) => CONTINUES.test(text));
  const isCased = cased.length >= (lines.length - 1) / 2;
  return isCased
    ? continuing.length >= MIN_FLOWING && continuing.length >= cased.length * FLOW_SHARE
    : lines.length >= MIN_ROWS_OF_LISTS;
}

/** Whether both sides pause at the same heights, as the rows of a table do. */
function areRows(left: readonly Segment[][], right: readonly Segment[][]): boolean {
  const [a, b] = [breaksOf(left), breaksOf(right)];
  const level = a.filter((line) => b.some((other) => isLevel(line, other)));
  return (
    level.length >= MIN_LEVEL_BREAKS && level.length >= LEVEL_SHARE * Math.min(a.length, b.length)
  );
}

/** Whether the file has cells of several lines row by row: each on the right begins level with the one on its left. */
function goesByRows(left: readonly Segment[], right: readonly Segment[]): boolean {
  let start: Segment | null = null;
  let rows = 0;
  let level = 0;
  const all = inFileOrder(left, right);
  for (const [at, { isLeft, segment }] of all.entries()) {
    const wasLeft = all[at - 1]?.isLeft ?? false;
    if (isLeft && !wasLeft) {
      start = segment;
    } else if (!isLeft && wasLeft && start) {
      rows += 1;
      level += isLevel(start, segment) ? 1 : 0;
    }
  }
  const lines = [left, right].map((side) => new Set(side.map(({ line }) => line)).size);
  const isByLine = rows >= Math.min(...lines) * BY_LINE_SHARE;
  return rows >= MIN_ROWS && level >= rows * LEVEL_SHARE_OF_CELLS && !isByLine;
}

function isLevel(a: Segment, b: Segment): boolean {
  return Math.abs(a.base - b.base) <= LEVEL * (a.y1 - a.y0);
}

/** The lines that stand further below the one before than lines usually do. */
function breaksOf(side: readonly Segment[][]): Segment[] {
  const lines = side.flatMap(([first]) => first ?? []);
  const steps = stepsOf(side);
  const usual = median(steps);
  return lines.slice(1).filter((_, at) => (steps[at] ?? 0) > usual * BREAK);
}

/** The distances between the baselines of lines. */
export function stepsOf(side: readonly Segment[][]): number[] {
  const lines = side.flatMap(([first]) => first ?? []);
  return lines.slice(1).map((line, at) => line.base - (lines[at]?.base ?? 0));
}

function alternationOf(left: readonly Segment[], right: readonly Segment[], rows: number): number {
  const sides = inFileOrder(left, right);
  const changes = sides.filter(({ isLeft }, at) => at > 0 && isLeft !== sides[at - 1]?.isLeft);
  return (changes.length - 1) / Math.max(1, rows * 2 - 2);
}

export function inFileOrder(left: readonly Segment[], right: readonly Segment[]) {
  return [
    ...left.map((segment) => ({ segment, isLeft: true })),
    ...right.map((segment) => ({ segment, isLeft: false })),
  ].sort((a, b) => a.segment.order - b.segment.order);
}
