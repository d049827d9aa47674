import type { NamedRow } from "@/lib/text/tables";
import type { SentenceAnalysis } from "./analyze-passage";
import type { FoldedText } from "./fold";
import { isAmong, isEqual, type QuantityMismatch } from "./quantity-check";
import type { Token } from "./tokens";

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
  { tokens, terms }: SentenceAnalysis,
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

/**
 * Whether a claim is about both rows, each named before or after everything it takes from the other. Otherwise words of
 * one row and numbers of another would together support what neither says.
 */
export function isAboutBoth(
  claim: SentenceAnalysis,
  sentences: readonly [SentenceAnalysis, SentenceAnalysis],
  subjects: readonly [ReadonlySet<string>, ReadonlySet<string>],
): boolean {
  const areNamed = subjects.every((one) =>
    claim.terms.some(({ keys }) => keys.some((key) => one.has(key))),
  );
  return areNamed && areSaidInTurn(claim, sentences, subjects);
}

function areSaidInTurn(
  claim: SentenceAnalysis,
  sentences: readonly [SentenceAnalysis, SentenceAnalysis],
  subjects: readonly [ReadonlySet<string>, ReadonlySet<string>],
): boolean {
  const said = sentences.map(({ terms }) => new Set(terms.flatMap(({ keys }) => keys)));
  const sides = [
    ...claim.terms.map(({ keys, token }) => ({
      token,
      in: said.map((one) => keys.some((key) => one.has(key))),
      names: subjects.map((one) => keys.some((key) => one.has(key))),
    })),
    ...claim.quantities.map((quantity) => ({
      token: quantity.first,
      in: sentences.map((sentence) => isAmong([sentence], quantity)),
      names: [false, false],
    })),
  ].sort((a, b) => a.token - b.token);
  const own = sides.flatMap(({ in: [first, second], names }) =>
    first === second ? [] : { side: first ? 0 : 1, isName: names[first ? 0 : 1] },
  );
  const changes = own.filter(({ side }, at) => at > 0 && side !== own[at - 1]?.side);
  const isNamed = (side: number) => own.some((each) => each.side === side && each.isName);
  return changes.length === 1 && isNamed(0) && isNamed(1);
}

/** The numbers that a claim gives for another column than the row does. */
export function columnMismatches(
  claim: SentenceAnalysis,
  row: RowSentence,
  { quantities }: SentenceAnalysis,
): QuantityMismatch[] {
  const named = columnsNamed(claim, row);
  const all = new Set(named.map(({ column }) => column));
  const numbers = claim.quantities.filter((own) => quantities.some((other) => isEqual(own, other)));
  const isPaired = named.length === numbers.length && named.length > 1;
  return numbers.flatMap((own, at): QuantityMismatch[] => {
    const cells = quantities
      .filter((other) => isEqual(own, other))
      .map(({ first }) => row.cellOf(first));
    const wanted = isPaired ? new Set([named[at]?.column ?? 0]) : all;
    const isElsewhere = wanted.size > 0 && !cells.some((cell) => cell === 0 || wanted.has(cell));
    return isElsewhere ? [{ reason: "number", isContradiction: false }] : [];
  });
}

/** The columns that a claim names by words that no other column has, in its order. */
function columnsNamed({ terms }: SentenceAnalysis, { columns, subject }: RowSentence) {
  const named: { column: number; token: number }[] = [];
  for (const { keys, token } of terms) {
    const found = [...columns.entries()].filter(([, names]) => keys.some((key) => names.has(key)));
    const [only] = found;
    const isOther = !keys.some((key) => subject.has(key)) && only?.[0] !== 0;
    if (found.length === 1 && only && isOther && named.at(-1)?.column !== only[0]) {
      named.push({ column: only[0], token });
    }
  }
  return named;
}
