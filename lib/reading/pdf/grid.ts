import { barsOf, connected, contains, isOnBars, TOUCH } from "./bars";
import { withSharedCells } from "./cells";
import { regionsOf } from "./columns";
import { type Box, boundsOf, type Row, sharedHeight, type Word } from "./geometry";
import { isRightToLeft, joinLines, type Line, linesOf, lineText, NUMBER } from "./lines";
import { withMergedCells } from "./merged-cells";

const MIN_FILLED = 3;
/** A page with more rules is a drawing. */
const MAX_RULES = 1500;
const MAX_EDGES = 200;
/** Pieces of a row that isn't ruled off from the next one are shorter than prose. */
const PIECE_CHARACTERS = 15;
const MIN_ALIGNED = 0.7;
const MIN_NUMBERS = 0.6;
/** In em: a gap so wide separates columns, which a cell has seldom. */
const INNER_GAP = 1.6;
const MAX_WIDE = 0.25;
/** A cell with fewer words is no page of columns. */
const MIN_FRAMED = 60;
/** In em: words that are nearer belong together. */
const WORD_GAP = 0.4;
/** The share of words that may reach over an edge that isn't drawn beside them. */
const MAX_CROSSING = 0.05;

/** A table with ruled cells, and the words in it. */
export interface Grid extends Box {
  rows: Row[];
  /** For each row, whether all of its words are bold, and whether it is shaded. */
  bold: boolean[];
  shaded: boolean[];
  words: Word[];
}

interface Edges {
  xs: number[];
  ys: number[];
  upright: Box[];
  flat: Box[];
}

/** Finds tables whose cells are drawn, and puts each word into its cell. */
export function gridsOf(
  words: readonly Word[],
  rules: readonly Box[],
  shades: readonly Box[],
): Grid[] {
  if (rules.length > MAX_RULES) {
    return [];
  }
  const grids: Grid[] = [];
  for (const group of connected(rules)) {
    const bounds = boundsOf(group);
    const bars = barsOf(bounds, shades);
    const edges = edgesOf(group, bars);
    const inside = words.filter((word) => contains(bounds, word));
    const bands = cellBands(inside, edges);
    if (bands) {
      const isRtl = isRightToLeft(inside.map(({ text }) => text).join(" "));
      const rows = bands.map((band) => toRow(band, edges, isRtl));
      const filled = rows.flatMap(({ cells }) => cells.filter(Boolean)).length;
      const columns = Math.max(...rows.map(({ cells }) => cells.filter(Boolean).length));
      if (filled >= MIN_FILLED && columns > 1) {
        const bold = bands.map(({ words: own }) => own.every(({ isBold }) => isBold));
        const shaded = bands.map(({ words: own }) => isOnBars(own, bars));
        grids.push({ ...bounds, rows, bold, shaded, words: inside });
      }
    }
  }
  return grids;
}

/** The rows of a table; null if its rules aren't those of one. */
function cellBands(inside: readonly Word[], edges: Edges): Band[] | null {
  const { xs, ys } = edges;
  if (xs.length < 3 || ys.length < 3 || ys.length > MAX_EDGES) {
    return null;
  }
  const { bands, isRuled } = bandsOf(inside, edges);
  if (!areCells(bands)) {
    return null;
  }
  return isRuled ? withMergedCells(bands, edges) : bands;
}

/** The lines between columns and rows; the outer ones may be absent. A bar of color ends a row, too. */
function edgesOf(rules: readonly Box[], bars: readonly Box[]): Edges {
  const upright = rules.filter(({ x0, x1, y0, y1 }) => y1 - y0 > x1 - x0);
  const flat = rules.filter(({ x0, x1, y0, y1 }) => y1 - y0 <= x1 - x0);
  if (upright.length === 0 || flat.length === 0) {
    return { xs: [], ys: [], upright, flat };
  }
  const { x0, x1, y0, y1 } = boundsOf(rules);
  return {
    xs: distinct([x0, x1, ...upright.map((rule) => (rule.x0 + rule.x1) / 2)]),
    ys: distinct([
      ...[y0, y1, ...flat.map((rule) => (rule.y0 + rule.y1) / 2)],
      ...bars.flatMap((bar) => [bar.y0, bar.y1]),
    ]),
    upright,
    flat,
  };
}

function distinct(values: number[]): number[] {
  return values
    .sort((a, b) => a - b)
    .filter((value, at, all) => at === 0 || value - (all[at - 1] ?? 0) > TOUCH);
}

interface Band {
  words: Word[];
  /** Where it has edges between its cells. */
  xs: number[];
  /** Whether these are drawn beside its words, and not only further up. */
  isDrawn: boolean;
}

/** The words of each row. */
function bandsOf(words: readonly Word[], { xs, ys, upright }: Edges) {
  const bands = ys.slice(1).map((bottom, at) => {
    const top = ys[at] ?? bottom;
    const own = words.filter(({ y0, y1 }) => (y0 + y1) / 2 > top && (y0 + y1) / 2 <= bottom);
    const middle = (top + bottom) / 2;
    const inner = xs.filter((x) =>
      upright.some(
        (rule) =>
          Math.abs((rule.x0 + rule.x1) / 2 - x) <= TOUCH &&
          rule.y0 <= middle + 1 &&
          rule.y1 >= middle - 1,
      ),
    );
    const isDrawn = areDrawn(own, inner, xs);
    return { words: own, xs: isDrawn ? inner : [...xs], isDrawn };
  });
  const parts = bands.map(splitBand);
  // Where rules separate most rows, the others are whole as well.
  const linesIn = (some: readonly Band[]) =>
    some.reduce((sum, band) => sum + linesOf(band.words).length, 0);
  const split = bands.filter((_, at) => (parts[at]?.length ?? 0) > 1);
  const isRuled = bands.length - split.length > 2 && linesIn(split) < linesIn(bands) / 2;
  return { bands: isRuled ? bands : parts.flat(), isRuled };
}

/** Whether a band has only the edges drawn in it. Below a ruled head, columns often go on without rules. */
function areDrawn(
  words: readonly Word[],
  inner: readonly number[],
  xs: readonly number[],
): boolean {
  const crossing = words.filter(({ x0, x1 }) => xs.some((x) => x0 < x - 1 && x1 > x + 1));
  const isCrossed = crossing.length > words.length * MAX_CROSSING;
  return inner.length > 2 || isCrossed || linesOf(words).length < 2;
}

/** Splits a band whose rows aren't ruled off from each other: each has a number in the same column, or short pieces. */
function splitBand(band: Band): Band[] {
  const columnsOf = (line: Line) => piecesOf(line.words, band).keys();
  const lines = withSharedCells(linesOf(band.words), columnsOf);
  const pieces = lines.map((line) => piecesOf(line.words, band));
  const aligned = pieces.filter((row) => row.size > 1).length;
  const count = pieces.reduce((sum, row) => sum + row.size, 0);
  const characters = band.words.reduce((sum, { text }) => sum + text.length, 0);
  const isEven =
    lines.length > 2 &&
    aligned >= lines.length * MIN_ALIGNED &&
    characters < count * PIECE_CHARACTERS;
  if (isEven) {
    return rowsOf(band, lines, (at) => (pieces[at]?.size ?? 0) > 1 || pieces[at]?.has(0) === true);
  }
  const anchor = anchorOf(pieces);
  const first = pieces.findIndex((row) => isNumber(row, anchor));
  return anchor === null
    ? [band]
    : rowsOf(band, lines, (at) => at < first || isNumber(pieces[at], anchor));
}

/** The lines as rows, each from a line that begins one. */
function rowsOf(band: Band, lines: readonly Line[], begins: (at: number) => boolean): Band[] {
  const rows: Band[] = [];
  for (const [at, line] of lines.entries()) {
    const row = rows.at(-1);
    if (row && !begins(at)) {
      row.words.push(...line.words);
    } else {
      rows.push({ ...band, words: [...line.words] });
    }
  }
  return rows;
}

/** What a line has in each column. Where no edge is drawn, words that follow each other closely stay in one cell. */
function piecesOf(words: readonly Word[], { xs, isDrawn }: Band): Map<number, Word[]> {
  if (isDrawn) {
    return Map.groupBy(words, (word) => columnOf(word, xs));
  }
  const columns = new Map<Word, number>();
  let before: Word | null = null;
  for (const word of words.toSorted((a, b) => a.x0 - b.x0)) {
    const space = before ? word.x0 - before.x1 : 0;
    const isNext = space > 0 && space < WORD_GAP * word.size;
    const column = isNext && before ? columns.get(before) : undefined;
    columns.set(word, column ?? columnOf(word, xs));
    before = word;
  }
  return Map.groupBy(words, (word) => columns.get(word) ?? 0);
}

/** The column with the most numbers, if it has several and little else. */
function anchorOf(lines: readonly Map<number, Word[]>[]): number | null {
  const columns = [...new Set(lines.flatMap((line) => [...line.keys()]))].map((column) => ({
    column,
    numbers: lines.filter((line) => isNumber(line, column)).length,
    filled: lines.filter((line) => line.has(column)).length,
  }));
  const [best] = columns
    .filter(({ numbers, filled }) => numbers > 1 && numbers >= filled * MIN_NUMBERS)
    .sort((a, b) => b.numbers - a.numbers);
  return best?.column ?? null;
}

function isNumber(line: Map<number, Word[]> | undefined, column: number | null): boolean {
  const words = column === null ? undefined : line?.get(column);
  return words !== undefined && NUMBER.test(lineText(words));
}

/** Whether what is ruled are cells, and not a frame around columns that have no rules. */
function areCells(bands: readonly Band[]): boolean {
  return (
    bands.every((band) => hasCells([band], MAX_WIDE * 2) && !framesColumns(band)) &&
    hasCells(bands, MAX_WIDE)
  );
}

/** Whether a cell has columns of prose, as beside a colored margin. */
function framesColumns({ words, xs }: Band): boolean {
  return [...Map.groupBy(words, (word) => columnOf(word, xs)).values()]
    .filter((cell) => cell.length >= MIN_FRAMED)
    .some((cell) => {
      const regions = regionsOf(cell).map(boundsOf);
      return regions.slice(1).some((region, at) => {
        const before = regions[at] ?? region;
        return region.x0 >= before.x1 && sharedHeight(region, before) > 0;
      });
    });
}

function hasCells(bands: readonly Band[], most: number): boolean {
  const pieces = bands.flatMap((band) =>
    linesOf(band.words).flatMap((line) => [...piecesOf(line.words, band).values()]),
  );
  const wide = pieces.filter((piece) => {
    const sorted = piece.toSorted((a, b) => a.x0 - b.x0);
    return sorted.some(
      (word, at) => word.x0 - (sorted[at - 1]?.x1 ?? word.x0) > INNER_GAP * word.size,
    );
  });
  return wide.length < 3 || wide.length <= pieces.length * most;
}

function columnOf(word: Word, xs: readonly number[]): number {
  const middle = (word.x0 + word.x1) / 2;
  return xs.findLastIndex((x) => x <= middle + 1);
}

/** Merged cells keep their text in the cell that is read first; a merged header names every column it spans. */
function toRow(band: Band, { xs }: Edges, isRtl: boolean): Row {
  const { words, xs: own } = band;
  const lines = linesOf(words).map((line) => piecesOf(line.words, band));
  const cells = xs.slice(1).map(() => "");
  const names = [...cells];
  for (const column of new Set(lines.flatMap((line) => [...line.keys()]))) {
    const inside = lines.flatMap((line) => line.get(column) ?? []);
    const text = linesOf(inside)
      .map((line) => lineText(line.words))
      .reduce(joinLines, "");
    const first = Math.max(0, indexOf(own[column] ?? xs[0] ?? 0, xs));
    const end = Math.max(first + 1, indexOf(own[column + 1] ?? xs.at(-1) ?? 0, xs));
    cells[Math.min(isRtl ? end - 1 : first, cells.length - 1)] += text;
    names.fill(text, first, end);
  }
  return { cells, names, isHidden: words.some(({ isHidden }) => isHidden), words };
}

function indexOf(edge: number, xs: readonly number[]): number {
  return xs.findLastIndex((x) => x <= edge + TOUCH);
}
