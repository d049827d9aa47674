import type { PassageRange, TextWindow } from "@/lib/documents/library-schema";

export interface Range {
  start: number;
  end: number;
}

/** Words of a block that are shown alike. */
export interface Stretch {
  start: number;
  text: string;
  isQuoted: boolean;
}

/** A paragraph of a text, a heading, or the part of a paragraph from where a passage begins. */
export interface TextBlock {
  start: number;
  kind: "heading" | "paragraph";
  /** Whether it goes on with the paragraph before it. */
  isContinued: boolean;
  /** The passages that begin here. */
  begins: PassageRange[];
  stretches: Stretch[];
}

/**
 * A window of a text as blocks, in the order of the text. Headings are what stands in no passage: a passage never
 * holds one. What is quoted is told apart.
 */
export function layOutText(window: TextWindow, quote: Range | null): TextBlock[] {
  const { passages } = window;
  const paragraphs = paragraphsOf(window);
  const ranges = paragraphs.flatMap((paragraph) => cut(paragraph, passages));
  const firsts = new Set(paragraphs.map(({ start }) => start));
  const begins = beginsOf(ranges, passages);
  const covered = merge(passages);
  return ranges.map((range, index) => ({
    start: range.start,
    kind: touches(covered, range) ? "paragraph" : "heading",
    isContinued: !firsts.has(range.start),
    begins: begins.get(index) ?? [],
    stretches: stretchesOf(window, range, quote),
  }));
}

/** What stands between blank lines. */
function paragraphsOf({ text, start }: TextWindow): Range[] {
  return [...text.matchAll(/[^\n]+(?:\n[^\n]+)*/g)].map(({ 0: paragraph, index }) => ({
    start: start + index,
    end: start + index + paragraph.length,
  }));
}

/** Parted where passages begin. */
function cut({ start, end }: Range, passages: readonly PassageRange[]): Range[] {
  const first = indexAt(passages, start, charStart) + 1;
  const last = indexAt(passages, end - 1, charStart);
  const places = passages.slice(first, last + 1).map(charStart);
  const starts = [start, ...new Set(places)];
  return starts.map((place, index) => ({ start: place, end: starts[index + 1] ?? end }));
}

/** By the index of the range that each passage begins in, or before. */
function beginsOf(
  ranges: readonly Range[],
  passages: readonly PassageRange[],
): Map<number, PassageRange[]> {
  const first = ranges[0]?.start ?? 0;
  const begins = new Map<number, PassageRange[]>();
  for (const passage of passages.filter(({ char_start }) => char_start >= first)) {
    const within = indexAt(ranges, passage.char_start, rangeStart);
    const isBehind = (ranges[within]?.end ?? 0) <= passage.char_start;
    const index = isBehind ? within + 1 : within;
    begins.set(index, [...(begins.get(index) ?? []), passage]);
  }
  return begins;
}

/** Ranges that overlap or touch as one; passages come in the order of their begins. */
function merge(passages: readonly PassageRange[]): Range[] {
  const merged: Range[] = [];
  for (const { char_start: start, char_end: end } of passages) {
    const last = merged.at(-1);
    if (last && start <= last.end) {
      last.end = Math.max(last.end, end);
    } else {
      merged.push({ start, end });
    }
  }
  return merged;
}

function touches(ranges: readonly Range[], { start, end }: Range): boolean {
  const last = ranges[indexAt(ranges, end - 1, rangeStart)];
  return last !== undefined && last.end > start;
}

function stretchesOf(
  { text, start: origin }: TextWindow,
  { start, end }: Range,
  quote: Range | null,
): Stretch[] {
  const from = Math.min(end, Math.max(start, quote?.start ?? end));
  const to = Math.max(from, Math.min(end, quote?.end ?? end));
  const stretches = [
    { start, end: from, isQuoted: false },
    { start: from, end: to, isQuoted: true },
    { start: to, end, isQuoted: false },
  ];
  return stretches
    .filter((stretch) => stretch.end > stretch.start)
    .map((stretch) => ({
      start: stretch.start,
      text: text.slice(stretch.start - origin, stretch.end - origin),
      isQuoted: stretch.isQuoted,
    }));
}

const charStart = (passage: PassageRange): number => passage.char_start;
const rangeStart = (range: Range): number => range.start;

/** Of items in order, the index of the last one at or before a place; −1 when all stand behind it. */
function indexAt<T>(items: readonly T[], place: number, placeOf: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && placeOf(item) <= place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}
