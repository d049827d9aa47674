import type { OfficeContentNode } from "officeparser";
import type { Block } from "../parse/block";
import { findHeader } from "../parse/table";
import { columnNames, toRows } from "../parse/write-table";
import { type CellComment, commentBlocks } from "./sheet-comments";

type TextOf = (node: OfficeContentNode) => string;

/**
 * Rows below the first one that names columns, then the comments on cells. Rows above it, such as a title, stand for
 * themselves.
 */
export function sheetRows(rows: readonly OfficeContentNode[], textOf: TextOf): Block[] {
  const table = rows.map((row) => cellsOf(row, textOf));
  const named = findHeader(table);
  const header = Math.max(0, named);
  const hasHeader = named >= 0;
  const numbers = rows.map(rowNumberOf);
  const byNumber = new Map(numbers.map((number, at) => [number, table[at]]));
  return [
    ...toRows(table.slice(0, hasHeader ? header : table.length), 0),
    ...(hasHeader ? toRows(table.slice(header), 1) : []),
    ...commentBlocks(commentsOf(rows, textOf), {
      rowAt: (row) => byNumber.get(row) ?? [],
      columns: hasHeader ? columnNames(table.slice(header, header + 1)) : [],
      body: numbers[header + 1] ?? 0,
    }),
  ];
}

function cellsOf(row: OfficeContentNode, textOf: TextOf): string[] {
  const cells: string[] = [];
  for (const [index, cell] of (row.children ?? []).entries()) {
    cells[columnOf(cell) ?? index] = textOf(cell);
  }
  return Array.from(cells, (text) => text ?? "");
}

/** The parser repeats a cell's comment when it repeats the cell. */
function commentsOf(rows: readonly OfficeContentNode[], textOf: TextOf): CellComment[] {
  const places = new Map<OfficeContentNode, Omit<CellComment, "text">>();
  for (const row of rows) {
    for (const [index, cell] of (row.children ?? []).entries()) {
      const place = { row: rowNumberOf(row), column: columnOf(cell) ?? index };
      for (const comment of (cell.comments ?? []).filter((each) => !places.has(each))) {
        places.set(comment, place);
      }
    }
  }
  return [...places].map(([comment, place]) => ({ ...place, text: textOf(comment) }));
}

function rowNumberOf({ children = [] }: OfficeContentNode): number {
  const cell = children[0];
  return (cell?.type === "cell" ? cell.metadata?.row : undefined) ?? 0;
}

function columnOf(cell: OfficeContentNode): number | undefined {
  return cell.type === "cell" ? cell.metadata?.col : undefined;
}
