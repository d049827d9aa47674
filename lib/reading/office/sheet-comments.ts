import { type Block, paragraph } from "../parse/block";

/** A comment on a cell of a sheet, with its row and column from 0. */
export interface CellComment {
  row: number;
  column: number;
  text: string;
}

interface SheetNames {
  /** The cells of a row by its number in the sheet. */
  rowAt(row: number): readonly string[];
  /** By column. */
  columns: readonly string[];
  /** The first row below the names of columns. */
  body: number;
}

/** Of a row's name and of a cell's value, which are there to recognize the cell by. */
const LONGEST_NAME = 80;

/** Comments as paragraphs below their sheet's table. Each says which cell it is on: reference, row, column and value. */
export function commentBlocks(comments: readonly CellComment[], names: SheetNames): Block[] {
  return comments
    .toSorted((a, b) => a.row - b.row || a.column - b.column)
    .filter(({ text }) => text.trim())
    .map((comment) => paragraph(`[comment on ${placeOf(comment, names)}] ${comment.text.trim()}`));
}

function placeOf({ row, column }: CellComment, { rowAt, columns, body }: SheetNames): string {
  const cells = rowAt(row);
  const first = cells.findIndex((cell) => cell.trim());
  const name = first >= 0 && first !== column ? short(cells[first]) : "";
  const columnName = row >= body ? short(columns[column]) : "";
  const value = [columnName, short(cells[column])].filter(Boolean).join(": ");
  return [`${lettersOf(column)}${row + 1}`, name, value].filter(Boolean).join(", ");
}

function short(text = ""): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME).toWellFormed()}…` : line;
}

/** As spreadsheets name their columns: A to Z, then AA. */
function lettersOf(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? lettersOf(rest - 1) : "") + String.fromCharCode(65 + (column % 26));
}
