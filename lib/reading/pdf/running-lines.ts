import { median, type Word } from "./geometry";
import { linesOf, lineText } from "./lines";

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

interface Edge {
  pattern: string;
  numbers: string[];
  words: Word[];
  /** Whether its letters are smaller than most of the page's. */
  isSmall: boolean;
}

/** The patterns of headers and footers in a sample of pages, and for each whether it has the same numbers everywhere. */
export function runningPatterns(pages: readonly (readonly Word[])[]): Map<string, boolean> {
  if (pages.length < MIN_PAGES) {
    return new Map();
  }
  const found = new Map<string, string[][]>();
  for (const words of pages) {
    for (const [pattern, [edge]] of Map.groupBy(edgesOf(words), (each) => each.pattern)) {
      found.set(pattern, [...(found.get(pattern) ?? []), edge?.numbers ?? []]);
    }
  }
  const least = Math.max(MIN_COUNT, pages.length * MIN_SHARE);
  const running = [...found].filter(
    ([, numbers]) => numbers.length >= least && countChanging(numbers) <= MAX_CHANGING,
  );
  return new Map(running.map(([pattern, numbers]) => [pattern, countChanging(numbers) === 0]));
}

/** How many of a line's numbers change from page to page. */
function countChanging(pages: readonly (readonly string[])[]): number {
  const [first = []] = pages;
  return first.filter((number, at) => pages.some((numbers) => numbers[at] !== number)).length;
}

/**
 * A page's words without its header and footer, unless it has few others. The first page keeps a header in letters as large
 * as others, which may be the document's title.
 */
export function withoutRunning(
  words: readonly Word[],
  running: ReadonlyMap<string, boolean>,
  isFirst = false,
): Word[] {
  if (running.size === 0) {
    return [...words];
  }
  const isTitle = ({ pattern, isSmall }: Edge) =>
    isFirst && !isSmall && running.get(pattern) === true && TITLE.test(pattern);
  const gone = new Set(
    edgesOf(words)
      .filter((edge) => running.has(edge.pattern) && !isTitle(edge))
      .flatMap((edge) => edge.words),
  );
  const isMinor = lettersOf([...gone]) <= lettersOf(words) * MAX_SHARE;
  return isMinor ? words.filter((word) => !gone.has(word)) : [...words];
}

function lettersOf(words: readonly Word[]): number {
  return words.reduce((sum, { text }) => sum + text.length, 0);
}

/** The first and last lines of a page; numbers count as equal. */
function edgesOf(words: readonly Word[]): Edge[] {
  const lines = linesOf(words);
  const body = median(words.map(({ size }) => size));
  const ends = [
    ...lines.slice(0, MAX_LINES).map((line) => ({ line, end: "top" })),
    ...lines
      .slice(Math.max(MAX_LINES, lines.length - MAX_LINES))
      .map((line) => ({ line, end: "bottom" })),
  ];
  return ends.flatMap(({ line, end }) => {
    const text = lineText(line.words);
    const pattern = `${end} ${text.replace(/\d+/g, "#").replace(/\s+/g, " ")}`;
    const isRunning = text.length <= MAX_LINE && !SENTENCE.test(text) && line.size < body * LARGER;
    const numbers = text.match(/\d+/g) ?? [];
    const isSmall = line.size < body * SMALLER;
    return isRunning ? [{ pattern, numbers, words: line.words, isSmall }] : [];
  });
}
