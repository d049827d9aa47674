import type { PassageRange, TextWindow } from "@/lib/library/documents/library-schema";

export interface Range {
  start: number;
  end: number;
}

/** A run of text that is quoted as a whole, or not at all. */
export interface Segment {
  start: number;
  text: string;
  isQuoted: boolean;
}

/** A heading, a paragraph, or the part of a paragraph from where a passage starts. */
export interface TextBlock {
  start: number;
  kind: "heading" | "paragraph";
  /** Whether it continues the previous paragraph. */
  isContinued: boolean;
  /** The page that begins here. */
  page: number | null;
  /** The passages that start here. */
  begins: PassageRange[];
  segments: Segment[];
}

/**
 * Splits a window of the text into blocks. Text outside all passages is a heading, because passages never contain
 * headings.
 */
export function layOutText(window: TextWindow, quote: Range | null): TextBlock[] {
  const { passages, pages } = window;
  const paragraphs = paragraphsOf(window);
  const starts = [...passages, ...pages].map(({ char_start }) => char_start);
  const ranges = paragraphs.flatMap((paragraph) => cut(paragraph, starts));
  const pageAt = new Map(pages.map(({ char_start, page }) => [char_start, page]));
  const firsts = new Set(paragraphs.map(({ start }) => start));
  return ranges.map(({ start, end }, index) => {
    // A passage that starts between two blocks is marked at the later one.
    const from = ranges[index - 1]?.end ?? start;
    const isPassage = passages.some((p) => p.char_start < end && p.char_end > start);
    return {
      start,
      kind: isPassage ? "paragraph" : "heading",
      isContinued: !firsts.has(start),
      page: pageAt.get(start) ?? null,
      begins: passages.filter(({ char_start }) => char_start >= from && char_start < end),
      segments: segmentsOf(window, { start, end }, quote),
    };
  });
}

/** The text between blank lines. */
function paragraphsOf({ text, start }: TextWindow): Range[] {
  return [...text.matchAll(/[^\n]+(?:\n[^\n]+)*/g)].map(({ 0: paragraph, index }) => ({
    start: start + index,
    end: start + index + paragraph.length,
  }));
}

/** Splits a paragraph where passages and pages start. */
function cut({ start, end }: Range, edges: readonly number[]): Range[] {
  const inside = edges.filter((at) => at > start && at < end);
  const starts = [start, ...new Set(inside.toSorted((a, b) => a - b))];
  return starts.map((at, index) => ({ start: at, end: starts[index + 1] ?? end }));
}

function segmentsOf(
  { text, start: origin }: TextWindow,
  { start, end }: Range,
  quote: Range | null,
): Segment[] {
  const from = Math.min(end, Math.max(start, quote?.start ?? end));
  const to = Math.max(from, Math.min(end, quote?.end ?? end));
  const edges = [start, from, to, end];
  return edges
    .map((at, index) => ({
      start: at,
      text: text.slice(at - origin, (edges[index + 1] ?? at) - origin),
      isQuoted: index === 1,
    }))
    .filter((segment) => segment.text !== "");
}

/** The part of some segments in a range of the text. */
export function cutSegments(segments: readonly Segment[], range: Range): Segment[] {
  return segments.flatMap((segment) => {
    const start = Math.max(segment.start, range.start);
    const text = segment.text.slice(start - segment.start, Math.max(0, range.end - segment.start));
    return text ? [{ ...segment, start, text }] : [];
  });
}

/** Whether a segment has the quote's first words, which come after the bullet or the bars that it may begin with. */
export function startsQuote(
  { start, text, isQuoted }: Segment,
  block: readonly Segment[],
  quote: Range | null,
): boolean {
  const first = block.find((segment) => segment.isQuoted);
  if (!isQuoted || !quote || first?.start !== quote.start) {
    return false;
  }
  const at = first.start + (/^(?:- )?[\s|]*/.exec(first.text)?.[0].length ?? 0);
  return start <= at && at < start + text.length;
}

/** Begins the lines of a list. */
export const BULLET = "- ";
/** Lines that begin with a bullet, or lines that don't, from the first one that isn't blank. */
const LIST_OR_TEXT = /(?:^- .*\n?)+|^(?!- )[^\S\n]*\S.*\n?(?:^(?!- ).*\n?)*/gm;

/** The same for text in one piece, in as few lines as possible. */
export function withBullets(text: string): string {
  return text.replaceAll(/^- /gm, "• ").replaceAll(/\n{2,}/g, "\n");
}

/** Lines of a text: the items of a list without their bullets, or what is between lists. */
interface TextRun {
  segments: Segment[];
  /** Null for lines that are no list. */
  items: Segment[][] | null;
}

/** Splits a text where its lists begin and end. Blank lines around them are left out. */
export function splitLists(segments: readonly Segment[]): TextRun[] {
  const text = segments.map((segment) => segment.text).join("");
  const origin = segments[0]?.start ?? 0;
  return [...text.matchAll(LIST_OR_TEXT)].map(({ 0: lines, index }) => {
    const start = origin + index;
    const run = cutSegments(segments, { start, end: start + lines.trimEnd().length });
    const isList = lines.startsWith(BULLET);
    return { segments: run, items: isList ? linesOf(run).map(withoutBullet) : null };
  });
}

function linesOf(segments: readonly Segment[]): Segment[][] {
  const lines: Segment[][] = [];
  let isNewLine = true;
  for (const { start, text, isQuoted } of segments) {
    for (const { 0: piece, index } of text.matchAll(/[^\n]+/g)) {
      const line = isNewLine || index > 0 ? [] : (lines.pop() ?? []);
      lines.push([...line, { start: start + index, text: piece, isQuoted }]);
      isNewLine = false;
    }
    isNewLine ||= text.endsWith("\n");
  }
  return lines;
}

function withoutBullet(line: readonly Segment[]): Segment[] {
  let left = BULLET.length;
  return line.flatMap((segment) => {
    const cut = Math.min(left, segment.text.length);
    left -= cut;
    const text = segment.text.slice(cut);
    return text ? [{ ...segment, start: segment.start + cut, text }] : [];
  });
}
