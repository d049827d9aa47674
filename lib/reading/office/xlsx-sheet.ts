import type { Readable } from "node:stream";
import { strike } from "@/lib/text/unasserted";
import type { Block } from "../parse/block";
import { findHeader } from "../parse/table";
import { columnNames, toRows } from "../parse/write-table";
import { readXml } from "../parse/xml";
import { type CellStyles, showNumber } from "./cell-format";
import { RichText } from "./rich-text";
import { type CellComment, commentBlocks } from "./sheet-comments";

/** A workbook's parts that its cells refer to. */
export interface CellContext extends CellStyles {
  strings: readonly string[];
}

/** What is left to read of a workbook, over all sheets, and what was left out. */
export interface SheetBudget {
  cells: number;
  /** Between a row's first and last cell, empty ones included. */
  places: number;
  /** Of all cells: many cells can show one long string. */
  characters: number;
  cutCells: number;
  /** Formulas without a saved value. */
  formulas: number;
  /** Rows and columns with text that the sheet hides. */
  hidden: number;
}

interface Merge {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

interface Sheet {
  /** By row number, in the sheet's order. Empty rows are left out. */
  rows: Map<number, string[]>;
  merges: Merge[];
}

/** Excel's limits. */
const MOST_COLUMNS = 16_384;
const MOST_ROWS = 1_048_576;
const LONGEST_CELL = 32_767;
const MOST_MERGES = 10_000;
/** Of hidden columns in one sheet. */
const MOST_RANGES = 100;
/** Places that merged cells may fill in one sheet, and the longest text that they repeat. */
const MOST_REPEATED = 100_000;
const LONGEST_REPEATED = 200;
const REFERENCE = /^([A-Z]{1,3})(\d{1,7})$/;

/** The rows of a worksheet, with the names of their columns if one of the first rows has them, then its comments. */
export async function readSheet(
  { stream, comments }: { stream: Readable; comments: readonly CellComment[] },
  context: CellContext,
  budget: SheetBudget,
): Promise<Block[]> {
  const sheet: Sheet = { rows: new Map(), merges: [] };
  let at = { row: -1, column: -1 };
  let cell = { type: "n", style: 0, hasFormula: false };
  const content = new RichText(LONGEST_CELL);
  const hidden = hiddenPlaces();
  await readXml(stream, {
    open(name, attributes) {
      content.open(name, attributes);
      hidden.open(name, attributes);
      if (name === "row") {
        at = { row: rowOf(attributes.r) ?? at.row + 1, column: -1 };
      } else if (name === "c") {
        at.column = columnOf(attributes.r) ?? at.column + 1;
        content.take();
        const { t: type = "n", s: style = "0" } = attributes;
        cell = { type, style: Number(style), hasFormula: false };
      } else if (name === "f") {
        cell.hasFormula = true;
      } else if (name === "mergeCell" && sheet.merges.length < MOST_MERGES) {
        sheet.merges.push(...mergeOf(attributes.ref));
      }
    },
    text: (text) => content.add(text),
    close(name) {
      content.close();
      if (name === "c") {
        const value = content.take();
        budget.formulas += cell.hasFormula && value === "" ? 1 : 0;
        const shown = showCell({ ...cell, value }, context);
        const text = context.struck[cell.style] ? strike(shown) : shown;
        hidden.add(at, text);
        place(sheet, { ...at, text }, budget);
      }
    },
  });
  budget.hidden += hidden.count();
  return blocksOf(sheet, comments);
}

/** Counts the hidden rows and columns that have text. */
function hiddenPlaces() {
  const found = new Set<string>();
  const ranges: { from: number; to: number }[] = [];
  let isHiddenRow = false;
  return {
    open(name: string, { hidden = "", min, max }: Record<string, string>): void {
      const isHidden = /^(?:1|true)$/.test(hidden);
      if (name === "row") {
        isHiddenRow = isHidden;
      } else if (name === "col" && isHidden && ranges.length < MOST_RANGES) {
        ranges.push({ from: Number(min) - 1, to: Number(max) - 1 });
      }
    },
    add({ row, column }: Place, text: string): void {
      if (text.trim() && isHiddenRow) {
        found.add(`row ${row}`);
      } else if (text.trim() && ranges.some(({ from, to }) => column >= from && column <= to)) {
        found.add(`column ${column}`);
      }
    },
    count: () => found.size,
  };
}

function showCell(
  { type, style, value }: { type: string; style: number; value: string },
  context: CellContext,
): string {
  switch (type) {
    case "s":
      return context.strings[Number(value)] ?? "";
    case "b":
      return value.trim() === "1" ? "TRUE" : "FALSE";
    case "n":
      return showNumber(value, style, context);
    default:
      return unescapeText(value);
  }
}

/** Characters that XML can't hold are written as `_x000D_`. */
export function unescapeText(text: string): string {
  return text
    .replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .slice(0, LONGEST_CELL);
}

/** The row and column of a reference such as `B3`, from 0. */
export function placeOf(reference: string): Place | null {
  const column = columnOf(reference);
  const row = rowOf(REFERENCE.exec(reference)?.[2]);
  return column === null || row === null ? null : { row, column };
}

interface Place {
  row: number;
  column: number;
}

function place({ rows }: Sheet, shown: Place & { text: string }, budget: SheetBudget): void {
  const { row, column, text } = shown;
  if (text.trim() === "" || column >= MOST_COLUMNS || row >= MOST_ROWS) {
    return;
  }
  const cells = rows.get(row) ?? [];
  const places = Math.max(0, column + 1 - cells.length);
  if (budget.cells < 1 || budget.places < places || budget.characters < text.length) {
    budget.cutCells += 1;
    return;
  }
  budget.cells -= 1;
  budget.places -= places;
  budget.characters -= text.length;
  while (cells.length < column) {
    cells.push("");
  }
  cells[column] = text;
  rows.set(row, cells);
}

function columnOf(reference = ""): number | null {
  const letters = REFERENCE.exec(reference)?.[1];
  const fold = (sum: number, letter: string) => sum * 26 + letter.charCodeAt(0) - 64;
  return letters ? [...letters].reduce(fold, 0) - 1 : null;
}

function rowOf(number = ""): number | null {
  return /^\d{1,7}$/.test(number) ? Number(number) - 1 : null;
}

function mergeOf(reference = ""): Merge[] {
  const [from = "", to = ""] = reference.split(":");
  const [left, right] = [columnOf(from), columnOf(to)];
  const [top, bottom] = [from, to].map((end) => rowOf(REFERENCE.exec(end)?.[2]));
  const isWhole = left !== null && right !== null && top != null && bottom != null;
  return isWhole ? [{ top, left, bottom, right }] : [];
}

function blocksOf({ rows, merges }: Sheet, comments: readonly CellComment[]): Block[] {
  const numbers = [...rows.keys()].sort((a, b) => a - b);
  const table = numbers.map((number) => rows.get(number) ?? []);
  const named = findHeader(table);
  // A name that is merged over some of the columns has their own names below it.
  const width = table[named]?.length ?? 0;
  const hasGroups = (at: number) =>
    merges.some(
      ({ top, left, right }) =>
        top === numbers[at] && right > left && (left > 0 || right < width - 1),
    );
  const first = hasGroups(named - 1) ? named - 1 : named;
  const isTwoLevel = hasGroups(named) && findHeader(table.slice(named + 1, named + 2)) === 0;
  const start = numbers[first] ?? 0;
  repeatMerged(
    rows,
    merges.filter(({ top }) => top >= start),
  );
  const left = table.reduce((least, row) => Math.min(least, row.findIndex(Boolean)), MOST_COLUMNS);
  const used = table.map((row) => (left > 0 ? row.slice(left) : row));
  const headers = named < 0 ? 0 : named - first + (isTwoLevel ? 2 : 1);
  const above = named < 0 ? 0 : first;
  return [
    ...toRows(used.slice(0, above), 0),
    ...toRows(used.slice(above), headers),
    ...commentBlocks(comments, {
      rowAt: (row) => rows.get(row) ?? [],
      columns: columnNames(table.slice(above, above + headers)),
      body: numbers[above + headers] ?? 0,
    }),
  ];
}

/** Puts a merged cell's text into each place that it covers, other than across a row with nothing else. */
function repeatMerged(rows: Sheet["rows"], merges: readonly Merge[]): void {
  let room = MOST_REPEATED;
  for (const merge of merges) {
    const text = repeatable(rows, merge);
    for (let y = merge.top; text && y <= merge.bottom && room > 0; y += 1) {
      const cells = rows.get(y) ?? [];
      room -= 1 + merge.right - merge.left;
      fill(cells, merge, text);
    }
  }
}

function repeatable(rows: Sheet["rows"], { top, left, right }: Merge): string {
  const cells = rows.get(top) ?? [];
  const text = cells[left] ?? "";
  const isAlone = left === 0 && right > left && cells.every((cell, at) => at === left || !cell);
  return isAlone || text.length > LONGEST_REPEATED ? "" : text;
}

function fill(cells: string[], { left, right }: Merge, text: string): void {
  while (cells.length > 0 && cells.length <= Math.min(right, MOST_COLUMNS - 1)) {
    cells.push("");
  }
  for (let x = left; x <= right && x < cells.length; x += 1) {
    cells[x] ||= text;
  }
}
