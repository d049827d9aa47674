import type { Range } from "./sentences";

/** A cell of a Markdown table below a header, at its place in the text. */
export interface NamedCell extends Range {
  /** Its column's name; "column 3" if the third column has none, empty for a first column without one. */
  column: string;
  text: string;
}

/** A row of a Markdown table: its cells that aren't empty, and its place without the outer bars. */
export interface NamedRow extends Range {
  cells: NamedCell[];
}

/** The rows of a text's tables, and where the headers are that name their columns. */
export interface NamedTables {
  rows: NamedRow[];
  headers: Range[];
}

const RULE = /^\|(?: ?:?-+:? ?\|)+$/;
const ROW = /^\|.*\|$/;
const BAR = /(?<!\\)\|/g;

/** Joins the texts of a row's cells, without the outer bars. */
export function joinCells(cells: readonly string[]): string {
  return cells
    .map((cell) => cell.replaceAll("|", "\\|"))
    .join(" | ")
    .replace(/ {2,}/g, " ");
}

/** The header of a table, from its row of names without the outer bars. */
export function headerOf(names: string): string {
  const columns = [...names.matchAll(BAR)].length + 1;
  return `| ${names} |\n|${" --- |".repeat(columns)}`;
}

/** Reads the Markdown tables of a text that have a header and rows. */
export function readTables(text: string): NamedTables {
  const tables: NamedTables = { rows: [], headers: [] };
  const lines = text.includes("---") ? linesOf(text) : [];
  let names: string[] | null = null;
  for (const [at, line] of lines.entries()) {
    const rule = lines[at + 1];
    if (!ROW.test(line.text)) {
      names = null;
    } else if (rule && RULE.test(rule.text) && ROW.test(lines[at + 2]?.text ?? "")) {
      names = cellsOf(line).map((cell) => cell.text);
      tables.headers.push({ start: line.start, end: rule.start + rule.text.length });
    } else if (names && !RULE.test(line.text)) {
      tables.rows.push(toRow(line, names));
    }
  }
  return tables;
}

/** Some lines of a text: a Markdown table, or what is between tables. */
interface TextSection extends Range {
  /** The places of the cells; null for lines that are no table. */
  table: { header: Range[] | null; rows: Range[][] } | null;
}

/** Splits a text where Markdown tables begin and end. One whose first lines are missing has no header. */
export function splitTables(text: string): TextSection[] {
  const lines = linesOf(text);
  const sections: TextSection[] = [];
  for (const [at, line] of lines.entries()) {
    const isRow = ROW.test(line.text);
    const isHeader = isRow && RULE.test(lines[at + 1]?.text ?? "");
    let section = sections.at(-1);
    if (!section || (section.table !== null) !== isRow || isHeader) {
      section = { start: line.start, end: 0, table: isRow ? { header: null, rows: [] } : null };
      sections.push(section);
    }
    section.end = line.start + line.text.length;
    if (section.table) {
      addLine(section.table, line, isHeader);
    }
  }
  return sections.filter(({ start, end }) => text.slice(start, end).trim() !== "");
}

function addLine(table: NonNullable<TextSection["table"]>, line: Line, isHeader: boolean): void {
  const cells = cellsOf(line).map(({ start, end }) => ({ start, end }));
  if (isHeader) {
    table.header = cells;
  } else if (!RULE.test(line.text)) {
    table.rows.push(cells);
  }
}

/** A text whose rows name the column of each cell, without the headers: "Drug: Aspirin | Evening: 100 mg". */
export function withColumnNames(text: string): string {
  const { rows, headers } = readTables(text);
  const edits = [
    ...headers.map(({ start, end }) => ({ start, end: end + 1, said: "" })),
    ...rows.map(({ start, end, cells }) => ({ start, end, said: cells.map(named).join(" | ") })),
  ].sort((one, other) => one.start - other.start);
  let at = 0;
  let written = "";
  for (const { start, end, said } of edits) {
    written += text.slice(at, start) + said;
    at = end;
  }
  return written + text.slice(at);
}

/** The cells of the rows in a range of a text. */
export function cellsIn(
  text: string,
  { start, end }: { start: number; end: number },
): Pick<NamedCell, "column" | "text">[] {
  return readTables(text)
    .rows.filter((row) => row.start < end && row.end > start)
    .flatMap(({ cells }) => cells.map(({ column, text }) => ({ column, text })));
}

function named({ column, text }: NamedCell): string {
  return column ? `${column}: ${text}` : text;
}

interface Line {
  text: string;
  start: number;
}

function linesOf(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const found = { text: line.trimEnd(), start };
    start += line.length + 1;
    return found;
  });
}

function toRow(line: Line, names: readonly string[]): NamedRow {
  const cells = cellsOf(line).flatMap((cell, at) => {
    const column = names[at]?.replace(/:$/, "") || (at > 0 ? `column ${at + 1}` : "");
    return cell.text ? [{ column, ...cell }] : [];
  });
  const inner = line.text.slice(1, -1);
  const start = line.start + 1 + inner.length - inner.trimStart().length;
  return { cells, start, end: line.start + 1 + inner.trimEnd().length };
}

function cellsOf({ text, start }: Line): Omit<NamedCell, "column">[] {
  const bars = [...text.matchAll(BAR)].map(({ index }) => index);
  return bars.slice(1).map((bar, at) => {
    const from = (bars[at] ?? 0) + 1;
    const inner = text.slice(from, bar);
    const place = start + from + inner.length - inner.trimStart().length;
    const written = inner.trim();
    return {
      text: written.replaceAll("\\|", "|"),
      start: place,
      end: place + written.length,
    };
  });
}
