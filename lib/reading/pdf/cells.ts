import type { Row, Word } from "./geometry";
import { isRightToLeft, type Line } from "./lines";

/** In em: the narrowest gap between cells. */
const MIN_CELL_GAP = 0.75;
/** In em: lines whose baselines are nearer aren't rows one below the other. */
const MIN_PITCH = 0.9;

/** The cells of a line, by its wide gaps. */
export function cellsOf(line: Line): Word[][] {
  const cells: Word[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const word of line.words.toSorted((a, b) => a.x0 - b.x0)) {
    if (word.x0 - end > MIN_CELL_GAP * line.size) {
      cells.push([]);
    }
    cells.at(-1)?.push(word);
    end = Math.max(end, word.x1);
  }
  return cells;
}

export interface Span {
  x0: number;
  x1: number;
}

export function spanOf(words: readonly Word[]): Span {
  return {
    x0: Math.min(...words.map(({ x0 }) => x0)),
    x1: Math.max(...words.map(({ x1 }) => x1)),
  };
}

export function occupied(line: Line, edges: readonly number[]): number {
  return new Set(cellsOf(line).map((cell) => cellColumn(cell, edges))).size;
}

/** The column in which a cell starts. */
export function cellColumn(cell: readonly Word[], edges: readonly number[]): number {
  const { x0, x1 } = spanOf(cell);
  const slack = Math.min(3, (x1 - x0) / 2);
  return Math.max(
    0,
    edges.findLastIndex((edge) => edge <= x0 + slack),
  );
}

/**
 * The lines without those set halfway between two others, in columns that these leave empty: they are cells of both, whose
 * words both lines get.
 */
export function withSharedCells(
  lines: readonly Line[],
  columnsOf: (line: Line) => Iterable<number>,
): Line[] {
  const shared = new Map<Line, readonly Line[]>();
  for (const [at, line] of lines.entries()) {
    const beside = [lines[at - 1], lines[at + 1]].filter((other) => other !== undefined);
    const columns = new Set(columnsOf(line));
    const isBetween = beside.every(
      (other) => overlaps(line, other) && ![...columnsOf(other)].some((each) => columns.has(each)),
    );
    if (isBetween && beside.length === 2) {
      shared.set(line, beside);
    }
  }
  return lines
    .filter((line) => !shared.has(line))
    .map((line) => {
      const added = [...shared].flatMap(([each, rows]) => (rows.includes(line) ? each.words : []));
      return added.length > 0 ? { ...line, words: [...line.words, ...added] } : line;
    });
}

/** The lines that stand beside the one above or below, neither level with it nor under it, as cells aligned in the middle. */
export function besideOthers(lines: readonly Line[]): Set<Line> {
  const beside = new Set<Line>();
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1];
    if (next && overlaps(line, next) && !sharesWidth(line, next)) {
      beside.add(line).add(next);
    }
  }
  return beside;
}

function sharesWidth(line: Line, other: Line): boolean {
  const spans = cellsOf(other).map(spanOf);
  return cellsOf(line)
    .map(spanOf)
    .some(({ x0, x1 }) => spans.some((span) => x0 < span.x1 && span.x0 < x1));
}

/** Whether two lines are too near for one to be below the other. */
function overlaps(line: Line, other: Line): boolean {
  return Math.abs(line.base - other.base) < MIN_PITCH * Math.min(line.size, other.size);
}

/** The rows of a table from the side where reading starts: their first cell is the rightmost one in Arabic or Hebrew. */
export function inReadingOrder(rows: readonly Row[]): Row[] {
  const isRtl = isRightToLeft(rows.flatMap(({ cells }) => cells).join(" "));
  return rows.map((row) =>
    isRtl ? { ...row, cells: row.cells.toReversed(), names: row.names.toReversed() } : row,
  );
}
