import { cellColumn, cellsOf } from "./cells";
import { boundsOf, type Word } from "./geometry";
import { isRuledOff, type Line, lineText, MEASURE, NUMBER, STARTS_LOWER } from "./lines";

/** The lines of one cell, without a wide space between them. */
interface CellBlock {
  column: number;
  cells: { line: Line; words: Word[] }[];
  top: number;
  bottom: number;
}

/** In em: the most and the least between the baselines of a cell's lines. */
export const MAX_PITCH = 1.5;
const MIN_PITCH = 0.9;
/** As a multiple of that: up to the first, lines are of one cell; from the second on, of two rows. */
const SAME_CELL = 1.08;
const NEXT_ROW = 1.15;
/** As a multiple of a cell's height: between rows that are nearer, there is no other row. */
const MIDDLE_SPACE = 1.2;
/** How many spaces of either kind show how a table is set. */
const MIN_STEPS = 2;
/** How many rules inside a table show that rows are ruled off from each other. */
const MIN_RULES = 3;
/** The share of spaces that aren't those of whole lines, and by how much of a line they differ. */
const SPACED = 0.5;
const OFF_GRID = 0.025;
/** The share of a table's lines within cells that begin in lowercase, or that leave columns empty. */
const CONTINUING = 0.6;
const RAGGED = 0.5;
/** The share of columns in which a group of rows, such as an arm of a study, has a line for each row. */
const EVEN = 0.8;

/**
 * The rows of a table whose cells have several lines, however they are aligned, if there is more space between rows than
 * between lines; null if there isn't. A cell that is merged over several rows is part of each.
 */
export function spacedRows(
  lines: readonly Line[],
  edges: readonly number[],
  between: readonly number[],
): Line[][] | null {
  const columns = columnsOf(lines, edges);
  const last = lines.at(-1)?.base ?? 0;
  const inner = between.filter((y) => y > (lines[0]?.base ?? 0) && y < last);
  const pitch = pitchOf(columns, inner);
  if (pitch === null) {
    return null;
  }
  const blocks = columns.flatMap((cells, column) => blocksOf(cells, { column, pitch, between }));
  const rows = withMiddles(rowsOf(blocks));
  return hasWholeCells(rows, edges.length) ? rows.flatMap(splitMerged) : null;
}

type Cell = CellBlock["cells"][number];

function columnsOf(lines: readonly Line[], edges: readonly number[]): Cell[][] {
  const columns = edges.map((): Cell[] => []);
  for (const line of lines) {
    const cells = Map.groupBy(cellsOf(line), (words) => cellColumn(words, edges));
    for (const [column, words] of cells) {
      columns[column]?.push({ line, words: words.flat() });
    }
  }
  return columns;
}

/** The distance between the lines of a cell, if rows are clearly further apart. */
function pitchOf(columns: readonly (readonly Cell[])[], between: readonly number[]) {
  const steps = columns.flatMap((cells) =>
    cells.slice(1).flatMap(({ line }, at) => {
      const before = cells[at]?.line ?? line;
      const step = (line.base - before.base) / line.size;
      return step >= MIN_PITCH && !isRuledOff(before, line, between) ? [step] : [];
    }),
  );
  const pitch = Math.min(...steps);
  const same = steps.filter((step) => step <= pitch * SAME_CELL);
  const next = steps.filter((step) => step >= pitch * NEXT_ROW);
  const isClear = same.length + next.length === steps.length;
  // Empty cells are between steps of several lines.
  const spaced = next.filter(
    (step) => Math.abs(step / pitch - Math.round(step / pitch)) > OFF_GRID,
  );
  const isSpaced = spaced.length >= Math.max(MIN_STEPS, next.length * SPACED);
  const isShown = same.length >= MIN_STEPS && (isSpaced || between.length >= MIN_RULES);
  return isClear && isShown && pitch <= MAX_PITCH ? pitch : null;
}

function blocksOf(
  cells: readonly Cell[],
  { column, pitch, between }: { column: number; pitch: number; between: readonly number[] },
): CellBlock[] {
  const blocks: CellBlock[] = [];
  for (const cell of cells) {
    const block = blocks.at(-1);
    const before = block?.cells.at(-1)?.line;
    const { y0, y1 } = boundsOf(cell.words);
    const isSame =
      before &&
      cell.line.base - before.base <= pitch * SAME_CELL * cell.line.size &&
      !isRuledOff(before, cell.line, between);
    if (block && isSame) {
      block.cells.push(cell);
      block.bottom = y1;
    } else {
      blocks.push({ column, cells: [cell], top: y0, bottom: y1 });
    }
  }
  return blocks;
}

/** Blocks that overlap in height, directly or by others. */
function rowsOf(blocks: readonly CellBlock[]): CellBlock[][] {
  const rows: CellBlock[][] = [];
  let bottom = Number.NEGATIVE_INFINITY;
  for (const block of blocks.toSorted((a, b) => a.top - b.top)) {
    if (block.top >= bottom - 1) {
      rows.push([]);
    }
    rows.at(-1)?.push(block);
    bottom = Math.max(bottom, block.bottom);
  }
  return rows;
}

/** Rows without those that are only the middle of a cell merged over both of its neighbors, which get it instead. */
function withMiddles(rows: readonly CellBlock[][]): CellBlock[][] {
  const middles = new Map<CellBlock[], CellBlock[][]>();
  for (const [at, row] of rows.entries()) {
    const [block, ...others] = row;
    const [above, below] = [rows[at - 1], rows[at + 1]];
    if (block && others.length === 0 && above && below && isMiddle(block, above, below)) {
      middles.set(row, [above, below]);
    }
  }
  return rows
    .filter((row) => !middles.has(row))
    .map((row) => [
      ...row,
      ...[...middles].flatMap(([middle, beside]) => (beside.includes(row) ? middle : [])),
    ]);
}

function isMiddle(block: CellBlock, above: readonly CellBlock[], below: readonly CellBlock[]) {
  const space =
    Math.min(...below.map(({ top }) => top)) - Math.max(...above.map(({ bottom }) => bottom));
  const isElsewhere = [...above, ...below].every(({ column }) => column !== block.column);
  return isElsewhere && space < (block.bottom - block.top) * MIDDLE_SPACE;
}

/** Whether the lines without space between them are cells, and not the rows of a group. */
function hasWholeCells(rows: readonly (readonly CellBlock[])[], width: number): boolean {
  const several = rows.filter((row) => row.some(({ cells }) => cells.length > 1));
  const repeats = (row: readonly CellBlock[]) =>
    row.some(({ cells }) => cells.filter(isValue).length > 1);
  const further = several.flat().flatMap(({ cells }) => cells.slice(1));
  const lower = further.filter(({ words }) => STARTS_LOWER.test(lineText(words)));
  const ragged = several.filter((row) => {
    const most = Math.max(...row.map(({ cells }) => cells.length));
    const isShort = row.every(({ column, cells }) => column > 0 || cells.length < most);
    return isShort && row.filter(({ cells }) => cells.length === most).length < width * EVEN;
  });
  return (
    !several.some(repeats) &&
    (lower.length >= further.length * CONTINUING || ragged.length > several.length * RAGGED)
  );
}

function isValue({ words }: Cell): boolean {
  const text = lineText(words);
  return NUMBER.test(text) || MEASURE.test(text);
}

/** The lines of each row. If several columns have as many blocks one below the other, others are merged over them. */
function splitMerged(row: readonly CellBlock[]): Line[][] {
  const columns = [...Map.groupBy(row, ({ column }) => column).values()];
  const most = Math.max(...columns.map(({ length }) => length));
  const [first, ...others] = columns.filter(({ length }) => length === most);
  if (!first || most === 1 || others.length === 0) {
    return [toLines(row)];
  }
  return first.map((start) =>
    toLines(row.filter((block) => block === start || overlaps(block, start))),
  );
}

function overlaps(block: CellBlock, other: CellBlock): boolean {
  return block.bottom > other.top + 1 && block.top < other.bottom - 1;
}

function toLines(row: readonly CellBlock[]): Line[] {
  const cells = row.flatMap((block) => block.cells);
  return [...Map.groupBy(cells, ({ line }) => line)]
    .map(([line, parts]) => {
      const words = parts.flatMap((part) => part.words);
      return { ...line, ...boundsOf(words), words };
    })
    .sort((a, b) => a.base - b.base);
}
