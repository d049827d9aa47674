import { readPacks } from "@/lib/packs";
import { cellsOf, spanOf } from "./cells";
import { median, type Word } from "./geometry";
import { type Line, linesOf, lineText } from "./lines";

/** A line at the same end of this share of the pages is a header or footer. Fewer pages prove nothing. */
const MIN_PAGES = 3;
const MIN_COUNT = 3;
const MIN_SHARE = 0.3;
/** How many lines at each end of a page may be running, and how long. */
const MAX_LINES = 2;
const MAX_LINE = 120;
/** The most of a page's letters that may be running: a page of figures needs its header to make sense. */
const MAX_SHARE = 0.25;
/** As a multiple of the page's letters: larger ones are a heading's. */
const LARGER = 1.14;
const SMALLER = 0.95;
const SENTENCE = /[.!?]$/;
/** The pattern of a header with words. */
const TITLE = /^top .*\p{L}{3}/u;

/** The page's number changes; in a table's row, several numbers do. */
const MAX_CHANGING = 1;
/** The share of neighboring pages between which a page's number grows as much as pages do; chapters may begin anew. */
const MIN_MOVING = 0.7;
/** A page's number: alone, after a word for pages, or at either end of a line of several words. */
const PAGE_NUMBER =
  /^\W*#(?:\W*#)?\W*$|(?:page|pg|seite|página|pagina|стр|p|s)\.?\s*#|#\s*(?:\/|of|von|de|sur|di|van)\s*#/iu;
const MIN_TITLE_WORDS = 4;
const GAP = " \t ";
/** In em: a wider gap sets a page's number apart, and lines that are nearer may be rows of one table. */
const WIDE_GAP = 1.5;
const LINE_PITCH = 1.6;
const ROW_PITCH = 3.2;
/** In points: how far the cells of a column may start from each other. */
const COLUMN_SLACK = 3;
const UNITS = readPacks("units").units.flatMap(({ names }) => names);
/** Units that are hardly ever another word, so that they need no number. */
const CLEAR_UNITS = UNITS.filter((name) => /^\p{Lu}{2}$|^.{3}/u.test(name));
/** Amounts belong to the text, wherever they stand. */
const AMOUNT = new RegExp(
  [
    String.raw`(?<![\p{L}\d])(?:[mµμunk]?g|[mdµμ]?l|[mµμn]?mol|kPa|[cmµμ]m|kcal|kJ|h|min|${UNITS.join("|")})(?:\/[\p{L}\d²³]{1,5}){1,3}(?!\p{L})`,
    String.raw`(?<![\p{L}\d])(?:mg|µg|μg|ng|kg|ml|mL|dl|dL|mmol|µmol|nmol|mol|kPa|${CLEAR_UNITS.join("|")})(?!\p{L})`,
    String.raw`\d\s?(?:%|°C|g|l|L|h|cm|mm|min|${UNITS.join("|")})(?![\p{L}\d])`,
  ].join("|"),
  "u",
);

export interface RemovedLine {
  pattern: string;
  text: string;
}

interface Edge extends RemovedLine {
  numbers: string[];
  words: Word[];
  /** Whether its letters are smaller than most of the page's. */
  isSmall: boolean;
}

/** A sampled page; pages are counted from 0. */
interface Sample {
  index: number;
  words: readonly Word[];
}

/** The patterns of headers and footers in a sample of pages, and for each whether it has the same numbers everywhere. */
export function runningPatterns(pages: readonly Sample[]): Map<string, boolean> {
  if (pages.length < MIN_PAGES) {
    return new Map();
  }
  const found = new Map<string, Found[]>();
  for (const { index, words } of pages) {
    for (const [pattern, [edge]] of Map.groupBy(edgesOf(words), (each) => each.pattern)) {
      found.set(pattern, [...(found.get(pattern) ?? []), { index, numbers: edge?.numbers ?? [] }]);
    }
  }
  const least = Math.max(MIN_COUNT, pages.length * MIN_SHARE);
  const running = [...found].filter(
    ([pattern, pages]) => pages.length >= least && isCounting(pattern, pages),
  );
  return new Map(running.map(([pattern, pages]) => [pattern, changing(pages).length === 0]));
}

/** A line of a page, as its numbers. */
interface Found {
  index: number;
  numbers: readonly string[];
}

/** The numbers of a line that change from page to page, by their places in it. */
function changing(pages: readonly Found[]): number[] {
  const first = pages[0]?.numbers ?? [];
  return first.flatMap((number, at) =>
    pages.some(({ numbers }) => numbers[at] !== number) ? [at] : [],
  );
}

/** Whether nothing changes in a line but the number of its page. */
function isCounting(pattern: string, pages: readonly Found[]): boolean {
  const [at, ...others] = changing(pages);
  if (at === undefined || others.length >= MAX_CHANGING) {
    return at === undefined;
  }
  const steps = pages.slice(1).map(({ index, numbers }, before) => {
    const last = pages[before];
    return Number(numbers[at]) - Number(last?.numbers[at]) === index - (last?.index ?? 0);
  });
  const isMoving = steps.filter(Boolean).length >= steps.length * MIN_MOVING;
  const line = pattern.replace(/^\w+ /, "");
  const words = line.match(/\p{L}+/gu)?.length ?? 0;
  const isBesideTitle = /^#|#$/.test(line) && words >= MIN_TITLE_WORDS;
  return isMoving && (PAGE_NUMBER.test(line) || isBesideTitle || line.includes(GAP));
}

/**
 * A page's words without its header and footer, unless it has few others. The first page keeps a header in letters as large
 * as others, which may be the document's title.
 */
export function withoutRunning(
  words: readonly Word[],
  running: ReadonlyMap<string, boolean>,
  isFirst = false,
): { words: Word[]; removed: readonly RemovedLine[] } {
  if (running.size === 0) {
    return { words: [...words], removed: [] };
  }
  const isTitle = ({ pattern, isSmall }: Edge) =>
    isFirst && !isSmall && running.get(pattern) === true && TITLE.test(pattern);
  const removed = edgesOf(words).filter((edge) => running.has(edge.pattern) && !isTitle(edge));
  const gone = new Set(removed.flatMap((edge) => edge.words));
  const isMinor = lettersOf([...gone]) <= lettersOf(words) * MAX_SHARE;
  return isMinor
    ? { words: words.filter((word) => !gone.has(word)), removed }
    : { words: [...words], removed: [] };
}

function lettersOf(words: readonly Word[]): number {
  return words.reduce((sum, { text }) => sum + text.length, 0);
}

/** The first and last lines of a page; numbers count as equal. */
function edgesOf(words: readonly Word[]): Edge[] {
  const lines = linesOf(words);
  const body = median(words.map(({ size }) => size));
  const ends = [
    ...lines
      .slice(0, MAX_LINES)
      .map((line, at) => ({ line, end: "top", inner: lines.slice(at + 1) })),
    ...lines.slice(Math.max(MAX_LINES, lines.length - MAX_LINES)).map((line) => ({
      ...{ line, end: "bottom" },
      inner: lines.slice(0, lines.indexOf(line)).reverse(),
    })),
  ];
  return ends.flatMap(({ line, end, inner }) => {
    const cells = cellsOf(line);
    const text = lineText(line.words);
    const parts = cells.map((cell) => lineText(cell)).join(isWide(cells, line) ? GAP : " ");
    const pattern = `${end} ${parts.replace(/\d+/g, "#").replace(/ +/g, " ")}`;
    const isRunning =
      text.length <= MAX_LINE &&
      !SENTENCE.test(text) &&
      !AMOUNT.test(text) &&
      line.size < body * LARGER &&
      !isInParagraph(line, inner) &&
      !(inner[0] && isRowBeside(line, inner[0]));
    const numbers = parts.match(/\d+/g) ?? [];
    const isSmall = line.size < body * SMALLER;
    return isRunning ? [{ pattern, text, numbers, words: line.words, isSmall }] : [];
  });
}

/** Whether a line's parts are as far apart as those of a header. */
function isWide(cells: readonly (readonly Word[])[], { size }: Line): boolean {
  return cells.slice(1).some((cell, at) => {
    const before = spanOf(cells[at] ?? []);
    return spanOf(cell).x0 - before.x1 > WIDE_GAP * size;
  });
}

/** Whether the next two lines inward go on with a line's paragraph. */
function isInParagraph(line: Line, inner: readonly Line[]): boolean {
  const [next, other] = inner;
  const isNext = (one: Line, beside: Line | undefined) =>
    beside !== undefined &&
    Math.abs(one.base - beside.base) <= LINE_PITCH * one.size &&
    Math.abs(one.size - beside.size) < 0.02 * one.size &&
    Math.abs(one.x0 - beside.x0) <= COLUMN_SLACK;
  return next !== undefined && isNext(line, next) && isNext(next, other);
}

/** Whether a line belongs to the same table as the line next to it: as a row, or as the rest of a cell. */
function isRowBeside(line: Line, inner: Line): boolean {
  const starts = (each: Line) => cellsOf(each).map((cell) => spanOf(cell).x0);
  const [own, others] = [starts(line), starts(inner)];
  const isNear = Math.abs(line.base - inner.base) < ROW_PITCH * Math.max(line.size, inner.size);
  const shared = own.filter((x) => others.some((other) => Math.abs(x - other) <= COLUMN_SLACK));
  const isCell =
    own.length === 1 && others.length > 1 && (own[0] ?? 0) > (others[0] ?? 0) + COLUMN_SLACK;
  return isNear && others.length > 1 && (shared.length > 1 || (isCell && shared.length === 1));
}
