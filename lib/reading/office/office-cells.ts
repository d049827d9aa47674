import type { OfficeContentNode } from "officeparser";

export interface SpannedCell {
  node: OfficeContentNode;
  colSpan?: number | undefined;
  rowSpan?: number | undefined;
  isHeader?: boolean;
}

/** A slide's table as XML: the parser doesn't report its merged cells. */
const SLIDE_CELL = /<a:tc(?=[\s/>])([^>]*)>/g;
const COVERED = /\b[hv]Merge="(?:1|true)"/;

/** The cells of a table, without those that merged ones cover. */
export function cellsOfTable(table: OfficeContentNode): SpannedCell[][] {
  const rows = (table.children ?? []).map(({ children = [] }) => children);
  const marks = slideCells(table.rawContent ?? "");
  if (marks.length === 0 || marks.length !== rows.reduce((sum, row) => sum + row.length, 0)) {
    return rows.map((row) => row.map(toSpanned));
  }
  const hasHeader = /<a:tblPr[^>]*\bfirstRow="(?:1|true)"/.test(table.rawContent ?? "");
  let at = 0;
  return rows.map((row, y) =>
    row.flatMap((node) => {
      const mark = marks[at] ?? "";
      at += 1;
      const spans = { colSpan: spanOf(mark, "gridSpan"), rowSpan: spanOf(mark, "rowSpan") };
      return COVERED.test(mark) ? [] : [{ node, ...spans, isHeader: hasHeader && y === 0 }];
    }),
  );
}

function slideCells(xml: string): string[] {
  return [...xml.matchAll(SLIDE_CELL)].map(([, attributes = ""]) => attributes);
}

function spanOf(attributes: string, name: string): number {
  return Number(new RegExp(`\\b${name}="(\\d{1,3})"`).exec(attributes)?.[1] ?? 1);
}

function toSpanned(node: OfficeContentNode): SpannedCell {
  const { colSpan, rowSpan } = node.type === "cell" ? (node.metadata ?? {}) : {};
  return { node, colSpan, rowSpan };
}
