import type { Block } from "./block";

/** A line at the same end of more than half of the pages is a header or footer; fewer pages tell nothing. */
const LEAST_PAGES = 4;
const LEAST_SHARE = 0.5;
/** How many blocks at each end of a page may be such a line, and how long it may be. */
const MOST_LINES = 2;
const LONGEST_LINE = 120;
const SENTENCE = /[.!?]$/;

/** The blocks without the headers and footers that repeat from page to page, whatever number they carry. */
export function withoutRunningLines(blocks: readonly Block[]): Block[] {
  const pages = [...Map.groupBy(blocks, ({ page }) => page).values()];
  if (pages.length < LEAST_PAGES) {
    return [...blocks];
  }
  const counts = new Map<string, number>();
  for (const line of pages.flatMap((page) => [...new Set(endsOf(page).map(patternOf))])) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const isRunning = (block: Block) =>
    (counts.get(patternOf(block)) ?? 0) > pages.length * LEAST_SHARE;
  return pages.flatMap((page) => {
    const running = new Set(endsOf(page).filter(isRunning));
    return page.filter((block) => !running.has(block));
  });
}

function endsOf(page: readonly Block[]): Block[] {
  const ends = [...page.slice(0, MOST_LINES), ...page.slice(-MOST_LINES)];
  return ends.filter(
    ({ kind, text }) => kind !== "heading" && text.length <= LONGEST_LINE && !SENTENCE.test(text),
  );
}

function patternOf({ text }: Block): string {
  return text.replace(/\d+/g, "#").replace(/\s+/g, " ").trim();
}
