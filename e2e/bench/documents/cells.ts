/** A row that a text should have: the texts under each column, "" where a cell is empty. */
export interface ExpectedRow {
  /** Of columns; empty if the table has no header. */
  names: readonly string[];
  cells: readonly string[];
  /** Places covered by a merged cell, which may be empty or repeat its text. */
  covered: readonly string[];
}

export interface CellCount {
  cells: number;
  inPlace: number;
  wrong: string[];
}

interface WrittenRow {
  names: readonly string[] | null;
  cells: readonly string[];
}

const RULE = /^\|(?: ?:?-+:? ?\|)+$/;

/** How many cells of the rows are under their column and in their row in a text, the empty ones as well. */
export function countCells(text: string, rows: readonly ExpectedRow[]): CellCount {
  const written = writtenRows(text);
  const count: CellCount = { cells: 0, inPlace: 0, wrong: [] };
  for (const row of rows) {
    const found = written.map((each) => row.cells.map((_, at) => isInPlace(row, at, each)));
    const sums = found.map((cells) => cells.filter(Boolean).length);
    // A row of the text is the one that has the most of an expected row's filled cells.
    const filled = found.map((cells) => cells.filter((is, at) => is && row.cells[at]).length);
    const most = Math.max(0, ...filled);
    const best = sums.reduce((top, sum, at) => (filled[at] === most && sum > top ? sum : top), 0);
    count.cells += row.cells.length;
    count.inPlace += most > 0 ? best : 0;
    if (best < row.cells.length || most === 0) {
      count.wrong.push(row.cells.join(" | "));
    }
  }
  return count;
}

function isInPlace({ names, cells, covered }: ExpectedRow, at: number, row: WrittenRow): boolean {
  const expected = cells[at] ?? "";
  const accepted = new Set([expected, covered[at] ?? expected].map(plain));
  const name = names[at] ?? "";
  if (row.names && names.length > 0) {
    return plain(row.names[at] ?? "") === plain(name) && accepted.has(plain(row.cells[at] ?? ""));
  }
  const named = row.cells.find((cell) => name !== "" && cell.startsWith(`${name}: `));
  const isNamed = row.cells.some((cell) => names.some((each) => cell.startsWith(`${each}: `)));
  return accepted.has(
    plain(isNamed ? (named ?? "").slice(name.length + 2) : (row.cells[at] ?? "")),
  );
}

function plain(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, " ").trim();
}

/** The lines of a text as rows, with the names above them if it is a table with a header. */
function writtenRows(text: string): WrittenRow[] {
  const lines = text.split("\n");
  let names: string[] | null = null;
  return lines.flatMap((line, at): WrittenRow[] => {
    if (!line.startsWith("|")) {
      names = null;
      return line.includes(" | ") ? [{ names: null, cells: line.split(" | ") }] : [];
    }
    if (RULE.test(lines[at + 1] ?? "")) {
      names = cellsOf(line);
      // Each line of a header with several.
      const levels = names.map((name) => name.split(" / "));
      return [0, 1].map((level) => ({
        names: null,
        cells: levels.map((each) => each.at(level) ?? each[0] ?? ""),
      }));
    }
    return RULE.test(line) ? [] : [{ names, cells: cellsOf(line) }];
  });
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll("\\|", "|").trim());
}
