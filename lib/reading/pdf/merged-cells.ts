import { TOUCH } from "./bars";
import type { Box, Word } from "./geometry";

/** The rows of a ruled table between two of its rules each, from top to bottom. */
interface Band {
  words: Word[];
}

interface Rules {
  xs: readonly number[];
  ys: readonly number[];
  /** The horizontal ones. */
  flat: readonly Box[];
}

/** In em: the most between the baselines of a cell's lines. */
const MAX_PITCH = 1.5;
/** Longer texts aren't repeated. */
const LONGEST_REPEATED = 200;

/** Bands that have the text of each cell that is merged over them: no rule separates it from the place below. */
export function withMergedCells<B extends Band>(bands: readonly B[], table: Rules): B[] {
  const merged = bands.map((band) => ({ ...band, words: [...band.words] }));
  for (let column = 0; column + 1 < table.xs.length; column += 1) {
    for (const cell of cellsIn(column, bands, table)) {
      const words = cell.flatMap((at) => wordsIn(bands[at], column, table));
      const length = words.reduce((sum, { text }) => sum + text.length + 1, 0);
      const isRepeated = length <= LONGEST_REPEATED && isOneText(words);
      // A band without words is between double rules.
      const filled = isRepeated ? cell.flatMap((at) => merged[at] ?? []) : [];
      for (const band of filled.filter(({ words: own }) => own.length > 0)) {
        band.words = [...band.words.filter((word) => !words.includes(word)), ...words];
      }
    }
  }
  return merged;
}

/** The bands of each cell in a column that has several. */
function cellsIn(column: number, bands: readonly Band[], { xs, ys, flat }: Rules): number[][] {
  const middle = ((xs[column] ?? 0) + (xs[column + 1] ?? 0)) / 2;
  const cells: number[][] = [];
  for (const at of bands.keys()) {
    const level = flat.filter((rule) => Math.abs((rule.y0 + rule.y1) / 2 - (ys[at] ?? 0)) <= TOUCH);
    const isOpen = level.length > 0 && !level.some(({ x0, x1 }) => x0 < middle && x1 > middle);
    if (isOpen && at > 0) {
      cells.at(-1)?.push(at);
    } else {
      cells.push([at]);
    }
  }
  return cells.filter((cell) => cell.length > 1);
}

function wordsIn(band: Band | undefined, column: number, { xs }: Rules): Word[] {
  const [left = 0, right = 0] = [xs[column], xs[column + 1]];
  return (band?.words ?? []).filter(({ x0, x1 }) => {
    const middle = (x0 + x1) / 2;
    return middle >= left - 1 && middle < right - 1;
  });
}

/** Whether the lines of words follow each other closely, and aren't those of two cells. */
function isOneText(words: readonly Word[]): boolean {
  const sorted = words.toSorted((a, b) => a.base - b.base);
  return (
    words.length > 0 &&
    sorted.every(
      (word, at) => word.base - (sorted[at - 1]?.base ?? word.base) <= MAX_PITCH * word.size,
    )
  );
}
