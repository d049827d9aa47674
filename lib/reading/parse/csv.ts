import { type Options, parse } from "csv-parse/sync";
import { hasExtension } from "../formats";
import { type ParsedFile, toParsedFile } from "./block";
import { findHeader } from "./table";
import { toRows } from "./write-table";

const DELIMITERS = [",", ";", "\t", "|"];
const SAMPLE_ROWS = 50;
const SAMPLE_CHARACTERS = 64 * 1024;
/** Prose has commas too. Without a .csv name, a table needs at least this many columns and rows. */
const LEAST_COLUMNS = 3;
const LEAST_ROWS = 3;
/** A first line by which spreadsheets say what separates values. */
const SEPARATOR = /^\s*"?sep=(.)"?[^\S\n]*\n/i;
/** Lines above the names of columns, such as a title and a date. */
const MOST_TITLES = 20;
const MARKDOWN_TABLE = /^.*\n[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*\|/;

/** The delimiter of a table; null for other text. */
export function csvDelimiter(name: string | null, text: string): string | null {
  const isNamed = hasExtension(name, "csv");
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const said = SEPARATOR.exec(sample)?.[1];
  if (said) {
    return said;
  }
  if (MARKDOWN_TABLE.test(sample)) {
    return null;
  }
  const [best] = DELIMITERS.map((delimiter) => ({ delimiter, ...shapeOf(sample, delimiter) }))
    .filter(({ columns, rows, isEven }) =>
      isNamed ? columns > 1 : isEven && columns >= LEAST_COLUMNS && rows >= LEAST_ROWS,
    )
    .sort((a, b) => b.columns - a.columns);
  return best?.delimiter ?? null;
}

/** One block per row, each value with its column's name, so that a row makes sense alone. */
export function parseCsv(text: string, delimiter: string): ParsedFile {
  const records = recordsOf(text.replace(SEPARATOR, ""), delimiter);
  const titles = countTitles(records);
  const [header = [], ...rows] = records.slice(titles);
  const ragged = rows.filter((row) => row.length !== header.length).length;
  const file = toParsedFile([
    ...toRows(records.slice(0, titles), 0),
    ...toRows([header, ...rows], 1),
  ]);
  if (ragged > 0) {
    file.warnings.set("ragged_rows", ragged);
  }
  return file;
}

/** How many lines stand above the one that names the columns: all have fewer values than it has. */
function countTitles(records: readonly (readonly string[])[]): number {
  const filled = records.slice(0, SAMPLE_ROWS).map((record) => record.filter(Boolean).length);
  const widest = Math.max(...filled);
  const first = filled.findIndex((count) => count >= Math.max(2, widest - 1) && count > widest / 2);
  const isNamed = findHeader(records.slice(first, first + 1)) === 0;
  return first > 0 && first <= MOST_TITLES && widest > 2 && isNamed ? first : 0;
}

function shapeOf(sample: string, delimiter: string) {
  const widths = recordsOf(sample, delimiter, SAMPLE_ROWS).map((record) => record.length);
  const columns = widths[0] ?? 0;
  return { columns, rows: widths.length, isEven: widths.every((width) => width === columns) };
}

/** Unbalanced quotes are treated as text, so that nothing is lost. */
function recordsOf(text: string, delimiter: string, most?: number): string[][] {
  const options: Options<string[]> = {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    ...(most && { to: most }),
  };
  try {
    return parse(text, options);
  } catch {
    return parse(text, { ...options, quote: null });
  }
}
