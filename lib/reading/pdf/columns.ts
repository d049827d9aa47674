import { barriersOf } from "./barriers";
import { blockRows } from "./block-rows";
import { areColumns, type Segment } from "./column-evidence";
import { type Box, boundsOf, median, sharedHeight, type Word } from "./geometry";
import { isRightToLeft, linesOf } from "./lines";

/** A strip without text between columns, with the gaps between segments that show it. */
interface Gutter extends Box {
  gaps: Gap[];
}

interface Gap extends Box {
  left: Segment;
  right: Segment;
}

interface Split {
  gutter: Gutter;
  above: Segment[];
  left: Segment[];
  right: Segment[];
  below: Segment[];
}

/** In em: the narrowest gutter. Lines that are justified have gaps as wide, but not one below the other. */
const MIN_GUTTER = 0.7;
/** In em of a line's own letters: a title's are so large that their spaces are as wide as a gutter. */
const MIN_GUTTER_OF_TITLE = 0.4;
/** In em: columns are continued above and below a gutter's gaps over white space up to this. */
const MAX_SKIP = 2.2;
const MIN_GAPS = 2;
const MAX_DEPTH = 10;
/** With more, a page is a map or a bomb, and keeps the order of the file. */
const MAX_SEGMENTS = 3000;
const MAX_GUTTERS = 60;

/** The regions of a page in reading order: columns from the side where reading starts, each from top to bottom. */
export function regionsOf(
  words: readonly Word[],
  rules: readonly Box[] = [],
  isOrderKnown = true,
): Word[][] {
  const segments = segmentsOf(words);
  if (segments.length > MAX_SEGMENTS) {
    return [[...words]];
  }
  const isRtl = isRightToLeft(words.map(({ text }) => text).join(""));
  const page = { isRtl, barriers: barriersOf(segments, rules), isOrderKnown };
  return cutRegion(segments, page, 0).map((region) => region.flatMap((each) => each.words));
}

interface Page {
  isRtl: boolean;
  /** What no gutter crosses besides text. */
  barriers: readonly Box[];
  isOrderKnown: boolean;
}

function cutRegion(
  segments: readonly Segment[],
  page: Page,
  depth: number,
): (readonly Segment[])[] {
  const split = depth < MAX_DEPTH ? findSplit(segments, page) : null;
  if (!split) {
    return segments.length > 0 ? [segments] : [];
  }
  const { above, below } = split;
  const bands = page.isOrderKnown ? blockRows(split) : [split];
  const columns = bands.flatMap(({ left, right }) => (page.isRtl ? [right, left] : [left, right]));
  return [above, ...columns, below].flatMap((part) => cutRegion(part, page, depth + 1));
}

function segmentsOf(words: readonly Word[]): Segment[] {
  const em = median(words.map(({ size }) => size));
  return linesOf(words).flatMap((line, number) => {
    const parts: Word[][] = [];
    const least = Math.max(MIN_GUTTER * Math.min(em, line.size), MIN_GUTTER_OF_TITLE * line.size);
    let end = Number.NEGATIVE_INFINITY;
    for (const word of line.words.toSorted((a, b) => a.x0 - b.x0)) {
      if (word.x0 - end > least) {
        parts.push([]);
      }
      parts.at(-1)?.push(word);
      end = Math.max(end, word.x1);
    }
    return parts.map((part) => toSegment(part, number));
  });
}

function toSegment(words: Word[], line: number): Segment {
  const text = words.map((word) => word.text).join(" ");
  return {
    ...boundsOf(words),
    words,
    base: words[0]?.base ?? 0,
    order: Math.min(...words.map(({ order }) => order)),
    text,
    line,
  };
}

/** The split by the gutter with the most gaps that separates columns; null if none does. */
function findSplit(segments: readonly Segment[], { barriers, isOrderKnown }: Page): Split | null {
  const em = median(segments.map(({ y1, y0 }) => y1 - y0));
  const gutters = guttersOf(segments, barriers, em)
    .filter(({ gaps }) => gaps.length >= MIN_GAPS)
    .sort((a, b) => b.gaps.length - a.gaps.length)
    .slice(0, MAX_GUTTERS);
  for (const gutter of gutters) {
    const split = splitAt(segments, gutter, { barriers, em });
    const { x0, x1, gaps } = gutter;
    if (areColumns({ ...split, rows: gaps.length, width: (x1 - x0) / em, isOrderKnown })) {
      return split;
    }
  }
  return null;
}

/** Chains gaps that lie one below the other, with neither a segment nor an empty band across. */
function guttersOf(segments: readonly Segment[], barriers: readonly Box[], em: number): Gutter[] {
  const gutters: Gutter[] = [];
  const bands = emptyBands(segments, em);
  for (const gap of gapsOf(segments, em).filter((each) => !isBarred(barriers, each))) {
    let isChained = false;
    for (const gutter of gutters) {
      const strip = narrowed(segments, {
        ...{ x0: Math.max(gutter.x0, gap.x0), x1: Math.min(gutter.x1, gap.x1) },
        ...{ y0: gutter.y1, y1: gap.y0 },
      });
      const { x0, x1 } = strip;
      const isCut =
        bands.some((y) => y > strip.y0 && y < strip.y1) ||
        isBarred(barriers, strip) ||
        segments.some((each) => crosses(each, strip));
      if (x1 - x0 >= MIN_GUTTER * em * 0.8 && !isCut) {
        Object.assign(gutter, { x0, x1, y1: Math.max(gutter.y1, gap.y1) });
        gutter.gaps.push(gap);
        isChained = true;
      }
    }
    if (!isChained) {
      const { x0, x1, y0, y1 } = gap;
      gutters.push({ x0, x1, y0, y1, gaps: [gap] });
    }
  }
  return gutters;
}

/** The middles of the bands without any text that are too high to lie within columns. */
function emptyBands(segments: readonly Segment[], em: number): number[] {
  const bands: number[] = [];
  let bottom = Number.POSITIVE_INFINITY;
  for (const { y0, y1 } of segments.toSorted((a, b) => a.y0 - b.y0)) {
    if (y0 - bottom > MAX_SKIP * em) {
      bands.push((y0 + bottom) / 2);
    }
    bottom = bottom === Number.POSITIVE_INFINITY ? y1 : Math.max(bottom, y1);
  }
  return bands;
}

/** Each segment's gap to the next one on its right, from top to bottom. */
function gapsOf(segments: readonly Segment[], em: number): Gap[] {
  const sorted = segments.toSorted((a, b) => a.y0 - b.y0);
  const tallest = Math.max(...segments.map(({ y0, y1 }) => y1 - y0));
  const gaps = sorted.flatMap((left, at): Gap[] => {
    const right = nextOnRight(sorted, at, { em, tallest });
    if (!right || right.x0 - left.x1 < MIN_GUTTER * em) {
      return [];
    }
    const y0 = Math.max(left.y0, right.y0);
    return [{ x0: left.x1, x1: right.x0, y0, y1: Math.min(left.y1, right.y1), left, right }];
  });
  return gaps.sort((a, b) => a.y0 - b.y0);
}

/** The nearest segment beside another, among those that start at about its height. */
function nextOnRight(
  sorted: readonly Segment[],
  at: number,
  { em, tallest }: { em: number; tallest: number },
): Segment | null {
  const left = sorted[at];
  if (!left) {
    return null;
  }
  let from = at;
  while (from > 0 && (sorted[from - 1]?.y0 ?? 0) >= left.y0 - tallest) {
    from -= 1;
  }
  let next: Segment | null = null;
  for (let to = from; to < sorted.length; to += 1) {
    const right = sorted[to];
    if (!right || right.y0 > left.y1) {
      break;
    }
    if (
      right.x0 >= left.x1 &&
      (!next || right.x0 < next.x0) &&
      sharedHeight(left, right) > 0.3 * em
    ) {
      next = right;
    }
  }
  return next;
}

/** The part of a strip that lines reach into neither from its left nor from its right. */
function narrowed(segments: readonly Segment[], strip: Box): Box {
  let { x0, x1 } = strip;
  for (const segment of segments.filter((each) => crosses(each, strip))) {
    if (segment.x0 < strip.x0 && segment.x1 < strip.x1) {
      x0 = Math.max(x0, segment.x1);
    } else if (segment.x0 > strip.x0 && segment.x1 > strip.x1) {
      x1 = Math.min(x1, segment.x0);
    }
  }
  return { ...strip, x0, x1 };
}

function crosses(segment: Segment, strip: Box): boolean {
  const isBeside = segment.x1 <= strip.x0 + 0.5 || segment.x0 >= strip.x1 - 0.5;
  return !isBeside && segment.y1 > strip.y0 + 1 && segment.y0 < strip.y1 - 1;
}

/** Whether a barrier reaches over a strip from side to side. */
function isBarred(barriers: readonly Box[], { x0, x1, y0, y1 }: Box): boolean {
  return barriers.some((barrier) => {
    const middle = (barrier.y0 + barrier.y1) / 2;
    return barrier.x0 < x0 - 1 && barrier.x1 > x1 + 1 && middle > y0 && middle < y1;
  });
}

interface Surroundings {
  barriers: readonly Box[];
  em: number;
}

function splitAt(segments: readonly Segment[], gutter: Gutter, around: Surroundings): Split {
  const { top, bottom } = extend(segments, gutter, around);
  const middle = (gutter.x0 + gutter.x1) / 2;
  const split: Split = { gutter, above: [], left: [], right: [], below: [] };
  for (const segment of segments) {
    const y = (segment.y0 + segment.y1) / 2;
    if (y < top) {
      split.above.push(segment);
    } else if (y > bottom) {
      split.below.push(segment);
    } else {
      split[segment.x1 <= middle || (segment.x0 + segment.x1) / 2 < middle ? "left" : "right"].push(
        segment,
      );
    }
  }
  return split;
}

/** How far up and down the columns go: to a segment across the gutter, or to white space. */
function extend(segments: readonly Segment[], gutter: Gutter, { barriers, em }: Surroundings) {
  let { y0: top, y1: bottom } = boundsOf(gutter.gaps.flatMap(({ left, right }) => [left, right]));
  const everywhere = { y0: Number.NEGATIVE_INFINITY, y1: Number.POSITIVE_INFINITY };
  let strip = { x0: gutter.x0, x1: gutter.x1, ...everywhere };
  const isEnd = (segment: Segment, space: number, over: Pick<Box, "y0" | "y1">) => {
    const rest = narrowed([segment], strip);
    const isClosed = rest.x1 - rest.x0 < MIN_GUTTER * em * 0.8 || crosses(segment, rest);
    if (isClosed || space > MAX_SKIP * em || isBarred(barriers, { ...strip, ...over })) {
      return true;
    }
    strip = rest;
    return false;
  };
  const sorted = segments.toSorted((a, b) => a.y0 - b.y0);
  for (const segment of sorted.filter(({ y0, y1 }) => (y0 + y1) / 2 > bottom)) {
    if (isEnd(segment, segment.y0 - bottom, { y0: bottom, y1: segment.y1 })) {
      break;
    }
    bottom = Math.max(bottom, segment.y1);
  }
  for (const segment of sorted
    .filter(({ y0, y1 }) => (y0 + y1) / 2 < top)
    .sort((a, b) => b.y1 - a.y1)) {
    if (isEnd(segment, top - segment.y1, { y0: segment.y0, y1: top })) {
      break;
    }
    top = Math.min(top, segment.y0);
  }
  return { top, bottom };
}
