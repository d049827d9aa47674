import { type Block, paragraph } from "./block";
import { columnNames, inParts, type Row, writeTable } from "./write-table";

/** A cell as its format states it. What a merged cell covers isn't listed. */
export interface TableCell {
  text: string;
  colSpan?: number | undefined;
  rowSpan?: number | undefined;
  /** Marked as a column's name, or set in bold. */
  isHeader?: boolean;
  isHidden?: boolean;
}

/** A merged cell's text is repeated in each place that it covers, unless it is longer. */
const LONGEST_REPEATED = 200;
/** Places that the merged cells of one table may fill, because one cell can span millions. */
const MOST_REPEATED = 100_000;
const LONGEST_NAME = 80;
/** A value, such as an amount, percentage or date. Years may name columns. */
const VALUE = /^(?!(?:19|20)\d\d$)[^\p{L}]*\d[^\p{L}]*$/u;
const STARTS_WITH_NUMBER = /^\W{0,2}\d/;

/** A table as blocks. Its header is what the format marks or what its first rows suggest. */
export function tableBlocks(rows: readonly (readonly TableCell[])[]): Block[] {
  const found = rows.findIndex((row) => row.filter(({ text }) => text.trim()).length > 1);
  const start = found < 0 ? rows.length : found;
  const body = rows.slice(start);
  const grid = placeCells(body);
  const headers = countHeaders(body, grid);
  const isGroup = (at: number) =>
    at >= headers && body[at]?.length === 1 && spansRow(body, grid, at);
  // What a merged cell repeats across a row is no value of its columns.
  const table = grid.map((row, at) => (isGroup(at) ? row.slice(0, 1) : row));
  const lines = writeTable(table, headers, new Set(table.filter((_, at) => isGroup(at))));
  const blocks = body.flatMap((row, at) => (lines[at] ?? []).map((line) => hide(line, row)));
  return [...rows.slice(0, start).flatMap(titleOf), ...inParts(blocks)];
}

/** Whether the one cell of a row reaches across it, and none is beside it that is merged with one above. */
function spansRow(rows: readonly (readonly TableCell[])[], grid: readonly Row[], at: number) {
  const width = grid[at]?.length ?? 0;
  return width > 1 && (rows[at]?.[0]?.colSpan ?? 1) >= width;
}

/** A row with one text, above the columns or across them. */
function titleOf(row: readonly TableCell[]): Block[] {
  return row.map(({ text }) => hide(paragraph(text.trim()), row)).filter(({ text }) => text);
}

function hide(block: Block, row: readonly TableCell[]): Block {
  return row.some(({ isHidden }) => isHidden) ? { ...block, isHidden: true } : block;
}

/** The index of the first row that names columns in a sheet: several texts and no values. Negative without one. */
export function findHeader(table: readonly Row[]): number {
  return table.findIndex((row) => {
    const filled = row.filter(Boolean);
    return (
      filled.length > 1 &&
      /\p{L}/u.test(filled[0] ?? "") &&
      !filled.some((text) => VALUE.test(text))
    );
  });
}

/** The text in each place of a table, with what merged cells cover. */
function placeCells(rows: readonly (readonly TableCell[])[]): string[][] {
  /** By column: the text of a cell that reaches down to the row with this index. */
  const open = new Map<number, { text: string; end: number }>();
  let left = MOST_REPEATED;
  return rows.map((row, y) => {
    const placed: string[] = [];
    const coverOpen = () => {
      let above = open.get(placed.length);
      while (above && above.end > y && left > 0) {
        placed.push(above.text);
        left -= 1;
        above = open.get(placed.length);
      }
    };
    for (const { text, colSpan = 1, rowSpan = 1 } of row) {
      coverOpen();
      const repeated = text.length <= LONGEST_REPEATED ? text : "";
      const width = Math.max(1, Math.min(colSpan, left));
      left -= width - 1;
      for (let covered = 0; covered < width; covered += 1) {
        open.set(placed.length, { text: repeated, end: y + rowSpan });
        placed.push(covered === 0 ? text : repeated);
      }
    }
    coverOpen();
    return placed;
  });
}

/** How many of the first rows name the columns. */
function countHeaders(rows: readonly (readonly TableCell[])[], grid: readonly Row[]): number {
  if (rows.length < 2) {
    return 0;
  }
  const isNamed = (count: number) =>
    areNames(columnNames(grid.slice(0, count)), grid.slice(count)) ? count : 0;
  const marked = rows.findIndex((row) => !isMarked(row));
  const above = rows[Math.max(marked - 1, 0)] ?? [];
  const isGrouped = above.some(({ colSpan = 1 }) => colSpan > 1);
  if (marked !== 0) {
    return Math.max(1, (isGrouped && marked > 0 && isNamed(marked + 1)) || marked);
  }
  return isNamed(isGrouped ? 2 : Math.min(...above.map(({ rowSpan = 1 }) => rowSpan)));
}

function isMarked(row: readonly TableCell[]): boolean {
  const filled = row.filter(({ text }) => text.trim());
  return filled.length > 0 && filled.every(({ isHeader }) => isHeader);
}

/**
 * Whether texts above unmarked rows name their columns: short, different and without numbers. A form of labels and values
 * looks the same, so in two columns the values must be numbers.
 */
function areNames(names: Row, body: readonly Row[]): boolean {
  const named = names.slice(names[0] ? 0 : 1);
  const isName = (name: string) =>
    name !== "" && name.length <= LONGEST_NAME && !/[:.]$|^\W*\d/.test(name);
  if (body.length === 0 || named.length === 0 || !named.every(isName)) {
    return false;
  }
  const hasNumbers = names.some((_, at) => {
    const values = body.map((row) => row[at] ?? "").filter(Boolean);
    return values.length > 0 && values.every((value) => STARTS_WITH_NUMBER.test(value));
  });
  return hasNumbers || (names.length > 2 && body.length > 1 && new Set(named).size > 1);
}
