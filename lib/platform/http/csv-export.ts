import { stringify } from "csv-stringify/sync";

/** Rows read at a time: few enough for the embedded database, which runs one statement at a time. */
const PAGE_ROWS = 1000;
/** An amount of money is text; not a formula, although it begins like one. */
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;

interface CsvExport<Row extends object> {
  columns: readonly string[];
  /** Further rows are left out. */
  maxRows: number;
  signal: AbortSignal;
  readPage: (bounds: {
    after: string | undefined;
    limit: number;
  }) => Promise<{ data: Row[]; next_cursor: string | null }>;
}

/** A list as CSV (RFC 4180, UTF-8), page by page until the signal aborts. */
export async function* exportCsv<Row extends object>({
  columns,
  maxRows,
  signal,
  readPage,
}: CsvExport<Row>): AsyncGenerator<string> {
  let after: string | undefined;
  for (let written = 0; written < maxRows && !signal.aborted; written += PAGE_ROWS) {
    const { data, next_cursor } = await readPage({ after, limit: PAGE_ROWS });
    yield stringify(data, {
      columns: [...columns],
      header: written === 0,
      record_delimiter: "windows",
      quote_record_delimiter: true,
      // Some cells are text that users wrote: a spreadsheet must not run one as a formula.
      escape_formulas: true,
      cast: {
        string: (value) =>
          NEGATIVE_NUMBER.test(value) ? { value, escape_formulas: false } : value,
      },
    });
    if (!next_cursor) {
      return;
    }
    after = next_cursor;
  }
}
