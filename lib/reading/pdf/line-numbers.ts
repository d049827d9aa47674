import { boundsOf, median, type Word } from "./geometry";
import { linesOf, lineText } from "./lines";

const COUNT = /^\d{1,4}$/;
/** Fewer numbers may be anything. */
const MIN_NUMBERS = 5;
/** In points: how far their common edge may be off. */
const ALIGNED = 2;
/** The share of them that is as far from the next one as usual; figures and headings lie between the others. */
const REGULAR_SHARE = 0.7;
/** In em: how far they stand from the text. */
const MIN_DISTANCE = 0.5;
/** Characters in the middle line of prose, where a table has cells, and the share of lines that go on in lower case. */
const MIN_LINE = 25;
const CONTINUING_SHARE = 0.3;
const CONTINUES = /^\p{Ll}/u;

/** The numbers of lines in a page's margins, as in manuscripts and transcripts: they are no cells of a table. */
export function lineNumbersOf(words: readonly Word[]): Set<Word> {
  const numbers = words.filter(({ text }) => COUNT.test(text));
  const columns = (["x0", "x1"] as const)
    .flatMap((edge) => alignedBy(numbers, edge))
    .filter((column) => countsLines(column))
    .sort((a, b) => b.length - a.length);
  const found = new Set<Word>();
  for (const column of columns.filter((each) => !each.some((word) => found.has(word)))) {
    const rest = words.filter((word) => !column.includes(word) && !found.has(word));
    if (isInMargin(column, rest) && isProse(rest)) {
      for (const word of column) {
        found.add(word);
      }
    }
  }
  return found;
}

/** Numbers below each other that share an edge. */
function alignedBy(numbers: readonly Word[], edge: "x0" | "x1"): Word[][] {
  const columns: Word[][] = [];
  for (const word of numbers.toSorted((a, b) => a[edge] - b[edge])) {
    const column = columns.at(-1);
    if (column && word[edge] - (column[0]?.[edge] ?? 0) <= ALIGNED) {
      column.push(word);
    } else {
      columns.push([word]);
    }
  }
  return columns.map((column) => column.toSorted((a, b) => a.base - b.base));
}

/** Whether each number is as much larger than the one above, and most are as far below it. */
function countsLines(column: readonly Word[]): boolean {
  const steps = column.slice(1).map((word, at) => Number(word.text) - Number(column[at]?.text));
  const distances = column.slice(1).map((word, at) => word.base - (column[at]?.base ?? 0));
  const usual = median(distances);
  const regular = distances.filter((distance) => Math.abs(distance - usual) <= usual * 0.1);
  return (
    column.length >= MIN_NUMBERS &&
    (steps[0] ?? 0) > 0 &&
    steps.every((step) => step === steps[0]) &&
    regular.length >= distances.length * REGULAR_SHARE
  );
}

function isInMargin(column: readonly Word[], words: readonly Word[]): boolean {
  const { x0, x1, y0, y1 } = boundsOf(column);
  const distance = MIN_DISTANCE * median(column.map(({ size }) => size));
  const beside = words.filter((word) => word.y1 > y0 && word.y0 < y1);
  return (
    beside.length > 0 &&
    (beside.every((word) => word.x0 >= x1 + distance) ||
      beside.every((word) => word.x1 <= x0 - distance))
  );
}

function isProse(words: readonly Word[]): boolean {
  const lines = linesOf(words).map((line) => lineText(line.words));
  const continuing = lines.filter((text) => CONTINUES.test(text));
  return (
    median(lines.map(({ length }) => length)) >= MIN_LINE &&
    continuing.length >= lines.length * CONTINUING_SHARE
  );
}
