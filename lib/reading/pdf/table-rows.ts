import { inParts, writeTable } from "../parse/write-table";
import {
  cellColumn,
  cellsOf,
  inReadingOrder,
  occupied,
  type Span,
  spanOf,
  withSharedCells,
} from "./cells";
import { type Box, median, type PlacedRow, type Row, type Word } from "./geometry";
import type { Grid } from "./grid";
import { isRuledOff, joinLines, type Line, lineText, MEASURE, NUMBER, STARTS_LOWER } from "./lines";
import { spacedRows } from "./spaced-rows";

/** A table's rows, of which the first ones name the columns. */
export interface TableRows {
  rows: readonly Row[];
  heads: number;
}

/** A block with the table that it is part of. */
export interface RowBlock extends PlacedRow {
  rows: TableRows;
}

/** Rows that are apart have at least this multiple of the distance between the lines of one row. */
const ROW_DISTANCE = 1.3;
/** In em: the most between the baselines of a cell's lines. */
const TIGHT = 1.3;
/** In em: how far a line is indented that continues a cell above it, and how many characters that cell has. */
const HANGING_INDENT = 0.5;
const MIN_HANGING = 20;
const MAX_HEAD_ROWS = 5;
/** The share of columns that heads name. */
const NAMED = 0.6;
/** A level or note below a column's name, such as "(0.75)". */
const IN_BRACKETS = /^\(\d?(?:\.\d+)?\)$/;
const DIGITS = /\d{5}|\d[-/:.]\d/;
const LEADERS = /(?:\s?[.·…_]){4,}/g;

/** Where a table's rows begin and end. */
interface Layout {
  /** Where columns start. */
  edges: readonly number[];
  /** The y of horizontal rules. */
  between: readonly number[];
  /** The usual distance between lines; null if rows are no further apart than lines. */
  tight: number | null;
  /** Whether the file can have cells one after the other; not if it has whole columns so. */
  isByCell: boolean;
}

/** Lines that form one row: between two rules if rules separate rows, or set so tight that one continues the other. */
export function rowGroups(
  lines: readonly Line[],
  rules: readonly Box[],
  edges: readonly number[],
): Line[][] {
  const between = rules.map(({ y0, y1 }) => (y0 + y1) / 2);
  const spaced = spacedRows(lines, edges, between);
  if (spaced) {
    return spaced;
  }
  const steps = lines
    .slice(1)
    .map((line, at) => line.base - (lines[at]?.base ?? 0))
    .filter((step, at) => step > 0.8 * (lines[at + 1]?.size ?? 0));
  const least = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 4)] ?? 0;
  const isSpaced = steps.filter((step) => step >= least * ROW_DISTANCE).length >= 2;
  const isByCell = !goesByColumn(lines, edges);
  const layout = { edges, between, tight: isSpaced ? least : null, isByCell };
  const isRuled = between.length >= lines.length / 2 && between.length >= 3;
  const groups: Line[][] = [];
  const columnsOf = (line: Line) => cellsOf(line).map((cell) => cellColumn(cell, edges));
  const rows = withSharedCells(lines, columnsOf);
  for (const [at, line] of rows.entries()) {
    const before = rows[at - 1];
    const group = groups.at(-1);
    const isSame =
      before &&
      group &&
      !isRuledOff(before, line, between) &&
      (isRuled ? !isRowOfItsOwn(before, line, edges) : continuesRow(group, line, layout)) &&
      !repeatsNumber(line, group, edges);
    if (isSame) {
      group.push(line);
    } else {
      groups.push([line]);
    }
  }
  return groups;
}

/** Whether two lines with a cell in every column are too far apart for one row, although no rule is between them. */
function isRowOfItsOwn(before: Line, line: Line, edges: readonly number[]): boolean {
  const areFull = [before, line].every((each) => occupied(each, edges) === edges.length);
  return edges.length > 2 && areFull && line.base - before.base > TIGHT * line.size;
}

/** Whether a line is set as tight as a cell's next one, and isn't a row by itself. */
function continuesRow(
  row: readonly Line[],
  line: Line,
  { edges, tight, isByCell }: Layout,
): boolean {
  const before = row.at(-1) ?? line;
  const step = line.base - before.base;
  const columns = occupied(line, edges);
  const [cell] = cellsOf(line);
  const isHanging = cell !== undefined && hangingColumn(cell, before, edges) !== null;
  const isPart = columns === 1 && (isHanging || !startsRow(line, edges));
  const isWhole = columns >= Math.max(3, edges.length * NAMED);
  const isNear = tight !== null && step < tight * ROW_DISTANCE;
  const isSameCell = isByCell && row.some((above) => precedes(line, above, edges));
  return step <= TIGHT * line.size && (isPart || (!isWhole && (isNear || isSameCell)));
}

/** Whether the file has a cell of a line before a later cell of the line above, as it does within one row. */
function precedes(line: Line, above: Line, edges: readonly number[]): boolean {
  const cells = cellsOf(line).map((cell) => placeOf(cell, edges));
  return cellsOf(above)
    .map((cell) => placeOf(cell, edges))
    .some((later) =>
      cells.some(({ column, order }) => column < later.column && order < later.order),
    );
}

function goesByColumn(lines: readonly Line[], edges: readonly number[]): boolean {
  const several = lines.filter((line) => occupied(line, edges) > 1);
  const [first, last] = [several[0], several.at(-1)];
  return (
    first !== undefined && last !== undefined && first !== last && precedes(last, first, edges)
  );
}

function placeOf(cell: readonly Word[], edges: readonly number[]) {
  return { column: cellColumn(cell, edges), order: Math.min(...cell.map(({ order }) => order)) };
}

function startsRow(line: Line, edges: readonly number[]): boolean {
  const [first] = cellsOf(line);
  return first !== undefined && cellColumn(first, edges) === 0;
}

/** Whether a line has a number in a column in which the row already has one. */
function repeatsNumber(line: Line, row: readonly Line[], edges: readonly number[]): boolean {
  const numbersIn = (each: Line) =>
    cellsOf(each)
      .filter((cell) => NUMBER.test(lineText(cell)))
      .map((cell) => cellColumn(cell, edges));
  const taken = new Set(row.flatMap(numbersIn));
  return numbersIn(line).some((column) => taken.has(column));
}

export function toTableRow(lines: readonly Line[], edges: readonly number[]): Row {
  const cells = edges.map((): string[] => []);
  for (const [at, line] of lines.entries()) {
    for (const cell of cellsOf(line)) {
      const hanging = at > 0 ? hangingColumn(cell, lines[at - 1] ?? line, edges) : null;
      cells[hanging ?? cellColumn(cell, edges)]?.push(lineText(cell).replace(LEADERS, ""));
    }
  }
  return rowOf(lines, cells);
}

function rowOf(lines: readonly Line[], cells: readonly (readonly string[])[]): Row {
  const texts = cells.map((parts) => parts.filter(Boolean).reduce(joinLines, ""));
  return {
    cells: texts,
    names: texts,
    isHidden: lines.some(({ isHidden }) => isHidden),
    words: lines.flatMap(({ words }) => words),
  };
}

/** A row of heads, each in the column whose values it stands over or nearest to, wherever it starts. */
export function toHeadRow(lines: readonly Line[], columns: readonly Span[]): Row {
  const cells = columns.map((): string[] => []);
  for (const cell of lines.flatMap(cellsOf)) {
    const { x0, x1 } = spanOf(cell);
    const distances = columns.map((span) => Math.abs(x0 + x1 - span.x0 - span.x1));
    cells[distances.indexOf(Math.min(...distances))]?.push(lineText(cell));
  }
  return rowOf(lines, cells);
}

/** The column whose text continues at an indent below the first one, as in a table of contents; null if none does. */
function hangingColumn(
  cell: readonly Word[],
  above: Line,
  edges: readonly number[],
): number | null {
  const isIndented = spanOf(cell).x0 > (edges[0] ?? 0) + HANGING_INDENT * above.size;
  if (!isIndented || cellColumn(cell, edges) > 0 || !STARTS_LOWER.test(lineText(cell))) {
    return null;
  }
  const cells = cellsOf(above);
  const column = cellColumn(cells.at(-1) ?? cell, edges);
  const text = lineText(cells.filter((each) => cellColumn(each, edges) === column).flat());
  return text.length < MIN_HANGING || NUMBER.test(text) ? null : column;
}

/** How many rows name the columns: those above the first inner rule, or rows without numbers above rows with some. */
export function headsOf(
  groups: readonly Line[][],
  rows: readonly Row[],
  rules: readonly Box[],
): number {
  const inner = rules.map(({ y0 }) => y0).sort((a, b) => a - b);
  for (const y of inner) {
    const above = groups.filter((group) => group.every(({ base }) => base < y + 1)).length;
    if (above > 0 && above < rows.length && areNames(rows.slice(0, above))) {
      return above;
    }
  }
  const bold = groups.map((group) => group.every(({ isBold }) => isBold));
  return countHeads(rows, { bold, shaded: [] });
}

/** Stripes shade rows without names, too. */
function countHeads(
  rows: readonly Row[],
  { bold, shaded }: { bold: readonly boolean[]; shaded: readonly boolean[] },
): number {
  const isFull = rows[0] !== undefined && !isTitle(rows[0]) && rows[0].names.every(Boolean);
  const isMarked = (bold[0] && !bold[1]) || (shaded[0] && !shaded.includes(true, 1));
  if (isFull && isMarked && areNames(rows.slice(0, 1), { areMarked: true })) {
    return 1;
  }
  const values = rows.findIndex(({ cells }) => cells.some(isValue));
  const first = isTitled(rows, values - 1) ? values - 1 : values;
  const isWide = (rows[0]?.cells.length ?? 0) > 2;
  return first > 0 && isWide && areNames(rows.slice(0, first)) ? first : 0;
}

/** Whether a row below the names is the title of the rows below it: others are further down, with one text as well. */
function isTitled(rows: readonly Row[], at: number): boolean {
  const [row, ...below] = rows.slice(Math.max(0, at));
  const isNamed = rows.slice(0, at).some(({ names }) => names[0]);
  return at > 0 && isNamed && row !== undefined && isTitle(row) && below.some(isTitle);
}

function isTitle({ cells }: Row): boolean {
  return Boolean(cells[0]) && !cells.slice(1).some(Boolean);
}

function isValue(cell: string): boolean {
  return (NUMBER.test(cell) && !IN_BRACKETS.test(cell)) || MEASURE.test(cell);
}

/** Whether rows name most columns and have no values. Only marked ones may have figures, such as those of a unit. */
function areNames(rows: readonly Row[], { areMarked = false } = {}): boolean {
  const width = rows[0]?.names.length ?? 0;
  const named = new Set(rows.flatMap(({ names }) => names.flatMap((name, at) => (name ? at : []))));
  const hasValues = rows.some(({ cells }) =>
    cells.some(
      (cell) =>
        !IN_BRACKETS.test(cell) &&
        (isValue(cell) || cell.endsWith(":") || (!areMarked && DIGITS.test(cell))),
    ),
  );
  return rows.length <= MAX_HEAD_ROWS && named.size >= Math.max(2, width * NAMED) && !hasValues;
}

/** A table's rows as blocks, which know the names of their columns; `from` is the first row to write. */
export function rowBlocks(table: TableRows, from = 0): RowBlock[] {
  const { rows, heads } = table;
  const written = rows.map(({ cells, names }, at) => (at < heads ? names : cells));
  const lines = writeTable(written, heads).slice(from);
  const blocks = rows.slice(from).flatMap(({ isHidden, words }, at) =>
    (lines[at] ?? []).map((block) => ({
      ...block,
      rows: table,
      words,
      ...(isHidden && { isHidden }),
    })),
  );
  return inParts(blocks);
}

/** A ruled table as one word, which has its place among the others. */
export function gridRows({ rows: drawn, bold, shaded, words, ...bounds }: Grid): Word {
  const rows = inReadingOrder(drawn);
  const heads = countHeads(rows, { bold, shaded });
  const text = rows.flatMap(({ cells }) => cells).join(" ");
  const order = Math.min(...words.map((word) => word.order));
  const size = median(words.map((word) => word.size));
  const place = { ...bounds, base: bounds.y1, size, order };
  const table = rowBlocks({ rows, heads });
  return { text, ...place, isBold: false, isHidden: false, table };
}
