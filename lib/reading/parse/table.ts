import { joinCells } from "@/lib/text/tables";
import { countTokens } from "@/lib/text/tokens";
import { type Block, paragraph } from "./block";

/** A cell as its format states it. What a merged cell covers isn't listed. */
export interface TableCell {
  text: string;
  colSpan?: number | undefined;
  rowSpan?: number | undefined;
  /** Marked as a column's name, or set in bold. */
  isHeader?: boolean;
  isHidden?: boolean;
}

type Row = readonly string[];

/** A merged cell's text is repeated in each place that it covers, unless it is longer. */
const LONGEST_REPEATED = 200;
/** Places that the merged cells of one table may fill, because one cell can span millions. */
const MOST_REPEATED = 100_000;
const LONGEST_NAME = 80;
/** Where a name is cut off, because every row repeats it. */
const CLIPPED_NAME = 120;
/** A longer row becomes several, each with the row's first cell, so that each can be quoted alone. */
const MAX_CHARACTERS_PER_ROW = 800;
const MAX_WORDS_PER_ROW = 80;
/** Longer names would fill much of each passage. */
const MAX_TOKENS_OF_NAMES = 150;
const LEVELS = " / ";
/** Without names, empty cells keep the others in their columns, but not in a wide sheet. */
const WIDE = 30;
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
  const isTitle = (at: number) =>
    at >= headers && body[at]?.length === 1 && spansRow(body, grid, at);
  const table = grid.filter((_, at) => !isTitle(at));
  const toLines = rowWriter(table, headers);
  const lines = body.flatMap((row, at) => {
    const written = at < headers ? [] : toLines(grid[at] ?? []);
    return isTitle(at) ? titleOf(row) : written.map((line) => hide(line, row));
  });
  const unused = unusedNames(table, headers, lines);
  return [...rows.slice(0, start).flatMap(titleOf), ...unused, ...inParts(lines)];
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

/** One block per row, which knows the names of its columns. */
export function toRows(table: readonly Row[], headers: number): Block[] {
  const rows = table.slice(headers < table.length ? headers : 0).flatMap(rowWriter(table, headers));
  return [...unusedNames(table, headers, rows), ...inParts(rows)];
}

/** The names that no row is written with: of a form's empty table, or of empty columns if all rows are long. */
function unusedNames(table: readonly Row[], headers: number, rows: readonly Block[]): Block[] {
  if (headers >= table.length || rows.some(({ head }) => head !== undefined)) {
    return [];
  }
  const body = table.slice(headers);
  const isEmpty = (column: number) => !body.some((row) => oneLine(row[column] ?? ""));
  const unused = columnNames(table.slice(0, headers)).filter((name, at) => name && isEmpty(at));
  return splitRow(unused).map(toRowBlock);
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

/**
 * Writes rows of a table as blocks: below a header, or with its column's name before each value if the row is too long. A
 * wide table is written in parts with some of its columns, each beside the first one; `inParts` puts them in order.
 */
export function rowWriter(table: readonly Row[], headers: number): (row: Row) => Block[] {
  const heads = headers < table.length ? table.slice(0, headers) : [];
  const titles = heads.filter((row, at) => isTitle(row) && heads.slice(0, at).every(isTitle));
  const names = columnNames(heads.slice(titles.length));
  if (!names.some(Boolean)) {
    return (row) => splitRow(plainCells(row)).map(toRowBlock);
  }
  const width = table
    .slice(headers)
    .reduce((most, row) => Math.max(most, row.length), names.length);
  const parts = partsOf(placeIn(width, names)).map((columns, part) => {
    const own = columns.map((at) => names[at] ?? "");
    return { columns, names: own, head: joinCells(own), ...(part > 0 && { part }) };
  });
  const above = titles.map(([title = ""]) => paragraph(oneLine(title)));
  return (row) => [...above.splice(0), ...parts.flatMap((part) => toBlocks(row, part))];
}

type Part = Pick<Block, "part"> & { columns: readonly number[]; names: Row; head: string };

function toBlocks(row: Row, { columns, names, head, ...part }: Part): Block[] {
  const cells = columns.map((at) => oneLine(row[at] ?? ""));
  const text = joinCells(cells);
  if (!cells.slice(part.part === undefined ? 0 : 1).some(Boolean)) {
    return [];
  }
  return fitsLine(text)
    ? [{ ...toRowBlock(text), head, ...part }]
    : splitRow(namedCells(names, cells)).map((line) => ({ ...toRowBlock(line), ...part }));
}

/** The columns of each part of a table whose names would fill a passage: the first one, and as many others as fit. */
function partsOf(names: Row): number[][] {
  let part = [0];
  const parts = [part];
  let used = 0;
  for (const [at, name] of names.entries()) {
    used += countTokens(name) + 1;
    if (part.length > 1 && (used > MAX_TOKENS_OF_NAMES || part.length >= WIDE)) {
      part = [0];
      parts.push(part);
      used = countTokens(name);
    }
    part.push(...(at > 0 ? [at] : []));
  }
  return parts;
}

/** The rows of a table's first part, then those of the next one. */
export function inParts<B extends Block>(blocks: readonly B[]): B[] {
  return blocks.toSorted((one, other) => (one.part ?? 0) - (other.part ?? 0));
}

/** Whether a row of names has one across all columns. */
function isTitle([first = "", ...others]: Row): boolean {
  return first !== "" && others.length > 0 && others.every((name) => name === first);
}

function toRowBlock(text: string): Block {
  return { kind: "row", depth: 0, text };
}

function placeIn(width: number, cells: Row): string[] {
  return Array.from({ length: width }, (_, at) => cells[at] ?? "");
}

function fitsLine(line: string): boolean {
  return line.length <= MAX_CHARACTERS_PER_ROW && line.split(/\s+/).length <= MAX_WORDS_PER_ROW;
}

/** The names in several header rows are joined from the top: "Class 1 / A". */
export function columnNames(headers: readonly Row[]): string[] {
  const width = headers.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: width }, (_, at) => {
    const levels = new Set(headers.map((row) => oneLine(row[at] ?? "")));
    return clipName([...levels].filter(Boolean).join(LEVELS));
  });
}

function namedCells(names: Row, row: Row): string[] {
  return row.flatMap((value, at) => {
    const text = oneLine(value);
    // The first column often has no name: its cells name the rows.
    const name = names[at]?.replace(/:$/, "") || (at > 0 ? `column ${at + 1}` : "");
    return text ? [name ? `${name}: ${text}` : text] : [];
  });
}

function plainCells(row: Row): string[] {
  const cells = row.map(oneLine);
  const width = cells.findLastIndex(Boolean) + 1;
  return width > WIDE ? cells.filter(Boolean) : cells.slice(0, width);
}

function splitRow(cells: Row): string[] {
  const first = clipName(cells[0] ?? "");
  const lines: string[][] = [[]];
  let characters = 0;
  let words = 0;
  for (const cell of cells) {
    const line = lines.at(-1) ?? [];
    // A delimiter counts as a word.
    const cellWords = cell.split(" ").length + 1;
    if (
      line.length > 1 &&
      (characters + cell.length > MAX_CHARACTERS_PER_ROW || words + cellWords > MAX_WORDS_PER_ROW)
    ) {
      lines.push([first, cell]);
      [characters, words] = [cell.length, cellWords];
    } else {
      line.push(cell);
      [characters, words] = [characters + cell.length, words + cellWords];
    }
  }
  return lines
    .map((line) => line.join(" | ").replace(/ {2,}/g, " "))
    .filter((line) => /[^\s|]/.test(line));
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

function clipName(text: string): string {
  return text.length > CLIPPED_NAME ? text.slice(0, CLIPPED_NAME).toWellFormed() : text;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
