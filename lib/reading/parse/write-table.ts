import { joinCells } from "@/lib/text/tables";
import { countTokens } from "@/lib/text/tokens";
import { type Block, paragraph } from "./block";

/** The texts of a row's cells, by column. */
export type Row = readonly string[];

/** Names are cut to this length, because every row repeats them. */
const CLIPPED_NAME = 120;
/** Likewise a row's first cell, which each part of a wide table repeats. The first part has all of it. */
const CLIPPED_FIRST_CELL = 40;
/** A longer row becomes several, each with the row's first cell, so that each can be quoted alone. */
const MAX_CHARACTERS_PER_ROW = 800;
const MAX_WORDS_PER_ROW = 80;
/** Longer names would fill much of each passage. */
const MAX_TOKENS_OF_NAMES = 150;
/** How many consecutive rows with only a first cell the parts of a wide table repeat as titles. */
const MAX_TITLES = 3;
const LEVELS = " / ";
/** Without column names, empty cells are written so that the others keep their columns, except in a wide sheet. */
const WIDE = 30;

/** One block per row, which knows the names of its columns. */
export function toRows(table: readonly Row[], headers: number): Block[] {
  return inParts(writeTable(table, headers).flat());
}

/**
 * Writes each row of a table as blocks: below a header, or with its column's name before each value if the row is too long.
 * A wide table is written in parts with some of its columns, each beside the first one; `inParts` puts them in order. Header
 * rows have the blocks of titles and of names that no other row is written with. `groups` are rows of one text across all
 * columns, which is the title of the rows below.
 */
export function writeTable(
  table: readonly Row[],
  headers: number,
  groups: ReadonlySet<Row> = new Set(),
): Block[][] {
  const heads = headers < table.length ? table.slice(0, headers) : [];
  const body = table.slice(heads.length);
  const titles = titlesOf(heads);
  const names = columnNames(heads.filter((row) => !titles.has(row)));
  const parts = names.some(Boolean) ? toParts(names, body) : [];
  const toLines = (row: Row, blocks: Block[]) =>
    groups.has(row) ? blocks.map((block) => groupBlock(row, block)) : blocks;
  const lines = body.map((row) =>
    parts.length > 0 ? [] : toLines(row, splitRow(plainCells(row)).map(toRowBlock)),
  );
  for (const part of parts) {
    for (const at of part.rows) {
      const row = body[at] ?? [];
      lines[at]?.push(...toLines(row, toBlocks(row, part)));
    }
  }
  const above = heads.map((row) => (titles.has(row) ? [paragraph(oneLine(row[0] ?? ""))] : []));
  const values = body.filter((row) => !groups.has(row));
  above.at(-1)?.push(...unusedNames(parts, values, lines.flat()));
  return [...above, ...lines];
}

/** The rows with one text across all columns, as long as a row below them is left to name the columns. */
function titlesOf(heads: readonly Row[]): Set<Row> {
  const filled = heads.filter((row) => row.some(oneLine));
  // If all are alike, -1 leaves the last one.
  const named = filled.findIndex(([first, ...others]) => others.some((name) => name !== first));
  return new Set(filled.slice(0, named).filter(({ length }) => length > 1));
}

interface Part extends Pick<Block, "part"> {
  columns: readonly number[];
  names: Row;
  head: string;
  /** The indexes of the rows that are written in it. */
  rows: readonly number[];
}

function toParts(names: Row, body: readonly Row[]): Part[] {
  const width = body.reduce((most, row) => Math.max(most, row.length), names.length);
  const alone = body.map((row) => !row.slice(1).some(oneLine));
  return partsOf(placeIn(width, names)).map((columns, part) => {
    const own = columns.map((at) => names[at] ?? "");
    const rows =
      part > 0 ? rowsIn(alone, (at) => hasValues(body[at] ?? [], columns)) : [...body.keys()];
    return { columns, names: own, head: joinCells(own), rows, ...(part > 0 && { part }) };
  });
}

/** The rows with values in a part, and of those with only a first cell the last ones above, which may be their titles. */
function rowsIn(alone: readonly boolean[], isFilled: (at: number) => boolean): number[] {
  const rows: number[] = [];
  let left = 0;
  for (let at = alone.length - 1; at >= 0; at -= 1) {
    if (alone[at] ? left > 0 : isFilled(at)) {
      rows.push(at);
      left = alone[at] ? left - 1 : MAX_TITLES;
    } else if (alone[at + 1]) {
      left = 0;
    }
  }
  return rows;
}

/** Whether a row has more than its first cell in a part. Rows can be far shorter than the widest row. */
function hasValues(row: Row, columns: readonly number[]): boolean {
  const [, from = 1] = columns;
  return from < row.length && row.slice(from, from + columns.length - 1).some(oneLine);
}

/** A row's blocks in one part. */
function toBlocks(row: Row, { columns, names, head, rows: _, ...part }: Part): Block[] {
  const [first = "", ...others] = columns.map((column) => oneLine(row[column] ?? ""));
  const cells = [part.part === undefined ? first : clip(first, CLIPPED_FIRST_CELL), ...others];
  if (!cells.some(Boolean)) {
    return [];
  }
  const text = joinCells(cells);
  return fitsLine(text)
    ? [{ ...toRowBlock(text), head, ...part }]
    : splitRow(namedCells(names, cells)).map((line) => ({ ...toRowBlock(line), ...part }));
}

function groupBlock([text = ""]: Row, { part }: Block): Block {
  return part === undefined
    ? paragraph(text.trim())
    : { ...paragraph(clip(oneLine(text), CLIPPED_NAME)), part };
}

/** Names that appear with no row: those of a part without values, or of empty columns if all rows are long. */
function unusedNames(
  parts: readonly Part[],
  body: readonly Row[],
  blocks: readonly Block[],
): Block[] {
  const written = new Set(blocks.map(({ head }) => head));
  const isFilled = (column = 0) => body.some((row) => oneLine(row[column] ?? ""));
  const unused = parts
    .filter(({ head }) => !written.has(head))
    .flatMap(({ columns, names, rows, part = 0 }) =>
      names.filter(
        (name, at) =>
          name && (at > 0 || part === 0) && (rows.length === 0 || !isFilled(columns[at])),
      ),
    );
  return splitRow(unused).map(toRowBlock);
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

/** The rows of the first part, then those of the next, and so on. */
export function inParts<B extends Block>(blocks: readonly B[]): B[] {
  return blocks.toSorted((one, other) => (one.part ?? 0) - (other.part ?? 0));
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
    return clip([...levels].filter(Boolean).join(LEVELS), CLIPPED_NAME);
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
  const first = clip(cells[0] ?? "", CLIPPED_NAME);
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

/** Cuts off a long text, between words so that no number becomes another. */
function clip(text: string, most: number): string {
  const start = text.slice(0, most + 1).replace(/\s\S*$/, "");
  return text.length > most ? `${start.slice(0, most).toWellFormed()}…` : text;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
