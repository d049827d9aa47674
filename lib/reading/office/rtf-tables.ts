import type { OfficeContentNode, OfficeParserAST } from "officeparser";

/** Where the cells of a row end, in twips. The row before may have the same ones. */
type Edges = readonly number[];

/** Edges of one column differ by rounding. */
const TOLERANCE_TWIPS = 100;
const MOST_COLUMNS = 100;
const TOKEN = /\\([a-z]+)(-?\d+)? ?|\\[^a-z]|[{}]/g;
/** Groups whose tables aren't among those of the text. */
const ASIDE = /^(?:header|footer)[lrf]?$|^(?:footnote|annotation|pict|object|info|stylesheet)$/;

/**
 * Word and LibreOffice write a cell that is merged across columns as one that ends where a later column does. The parser
 * doesn't report where cells end, so that is read from the file.
 */
export function addSpans({ content }: OfficeParserAST, bytes: Uint8Array): void {
  const tables = content
    .filter(({ type }) => type === "table")
    .map(({ children = [] }) => children);
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const edges = tables.length > 0 ? readEdges(file.toString("latin1")) : [];
  // Otherwise some table is elsewhere, and rows can't be told apart.
  if (tables.reduce((sum, rows) => sum + rows.length, 0) !== edges.length) {
    return;
  }
  let from = 0;
  for (const rows of tables) {
    spanCells(rows, edges.slice(from, from + rows.length));
    from += rows.length;
  }
}

/** A row whose cells all end where cells of the widest row do spans that row's columns. */
function spanCells(rows: readonly OfficeContentNode[], edges: readonly Edges[]): void {
  const grid = edges.reduce((widest, row) => (row.length > widest.length ? row : widest), []);
  for (const [at, { children = [] }] of grid.length > MOST_COLUMNS ? [] : rows.entries()) {
    const ends = (edges[at] ?? []).map((edge) => columnAt(grid, edge));
    const isPlaced = ends.every((end, index) => end > (ends[index - 1] ?? -1));
    for (const cell of isPlaced ? children : []) {
      spanCell(cell, ends);
    }
  }
}

function columnAt(grid: Edges, edge: number): number {
  return grid.findIndex((each) => Math.abs(each - edge) <= TOLERANCE_TWIPS);
}

function spanCell(cell: OfficeContentNode, ends: readonly number[]): void {
  const place = cell.type === "cell" ? cell.metadata : undefined;
  if (place) {
    const last = place.col + (place.colSpan ?? 1) - 1;
    const span = (ends[last] ?? 0) - (place.col > 0 ? (ends[place.col - 1] ?? 0) : -1);
    place.colSpan = Math.max(1, span);
  }
}

/** The edges of each row that has cells, in the order of the text. */
function readEdges(rtf: string): Edges[] {
  const rows: Edges[] = [];
  const row = { edges: [] as number[], cells: 0 };
  const groups: boolean[] = [];
  let isAside = false;
  for (const { 0: token, 1: word = "", 2: value } of rtf.matchAll(TOKEN)) {
    if (token === "{") {
      groups.push(isAside);
    } else if (token === "}") {
      isAside = groups.pop() ?? false;
    } else {
      isAside ||= token === "\\*" || ASIDE.test(word);
    }
    if (!isAside && readWord(row, word, Number(value))) {
      // A row of other cells than it defines can't be placed.
      rows.push(row.cells === row.edges.length ? row.edges : []);
      row.cells = 0;
    }
  }
  return rows;
}

/** Whether the word ends a row that has cells. */
function readWord(row: { edges: number[]; cells: number }, word: string, value: number): boolean {
  if (word === "trowd") {
    row.edges = [];
  } else if (word === "cellx") {
    row.edges.push(value);
  } else if (word === "cell") {
    row.cells += 1;
  }
  return word === "row" && row.cells > 0;
}
