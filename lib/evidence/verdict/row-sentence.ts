import type { NamedRow } from "@/lib/text/tables";
import type { FoldedText } from "./fold";
import type { Sentence } from "./sentences";
import type { Token } from "./tokens";
import type { ContentTerm } from "./words";

/** A sentence of a table's row: keys of its words, by what they belong to. */
export interface RowSentence {
  /** Of the row in its passage. */
  number: number;
  /** Of the row's first cell, which says what it is about. */
  subject: ReadonlySet<string>;
  /** Of each cell's column. */
  columns: readonly ReadonlySet<string>[];
  /** The cell that each token is in, or whose column it names. */
  cellOf: (token: number) => number;
}

/** The first token of each row, and the first one after it: a row is read as one sentence. */
export function rowBounds(
  tokens: readonly Token[],
  folded: FoldedText,
  rows: readonly NamedRow[],
): Map<number, number> {
  const bounds = new Map<number, number>();
  let at = 0;
  for (const { start, end } of rows) {
    while (at < tokens.length && placeOf(tokens[at], folded) < start) {
      at += 1;
    }
    const first = at;
    while (at < tokens.length && placeOf(tokens[at], folded) < end) {
      at += 1;
    }
    bounds.set(first, at);
  }
  return bounds;
}

/** Where a token is in the passage; a column's name is where its cell begins. */
function placeOf(token: Token | undefined, folded: FoldedText): number {
  return token ? folded.originalStart(token.start) : Number.POSITIVE_INFINITY;
}

/** What a sentence's words belong to if it is a table's row; null for any other. */
export function readRow(
  { tokens, terms }: { tokens: Sentence; terms: readonly ContentTerm[] },
  folded: FoldedText,
  rows: readonly NamedRow[],
): RowSentence | null {
  const place = placeOf(tokens[0], folded);
  const number = rows.findIndex(({ start, end }) => start <= place && place < end);
  const cells = rows[number]?.cells;
  if (!cells) {
    return null;
  }
  const places = tokens.map((token) => placeOf(token, folded));
  const ends = tokens.map(({ end }) => folded.originalEnd(end));
  const cellOf = (token: number) =>
    cells.findLastIndex(({ start }) => start <= (places[token] ?? 0));
  // A column's name was put in front of its cell, so it ends where the cell begins.
  const isName = (token: number) => {
    const cell = cells[cellOf(token)];
    return Boolean(cell?.column) && (ends[token] ?? 0) <= (cell?.start ?? 0);
  };
  const keysWhere = (isPart: (token: number) => boolean) =>
    new Set(terms.flatMap(({ keys, token }) => (isPart(token) ? keys : [])));
  return {
    number,
    subject: keysWhere((token) => cellOf(token) === 0 && !isName(token)),
    columns: cells.map((_, cell) => keysWhere((token) => cellOf(token) === cell && isName(token))),
    cellOf,
  };
}
