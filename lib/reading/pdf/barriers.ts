import { piecesOf, type Segment } from "./column-evidence";
import { type Box, boundsOf } from "./geometry";
import { NUMBER } from "./lines";

/** A line of a table has at least so many cells, and none is longer. */
const MIN_CELLS = 3;
const MAX_CELL = 24;
/** The right piece of a header begins where at most so many other lines do, or that far from there, in em. */
const MOST_BELOW = 3;
const MAX_INDENT = 3;
/** In em: lines of a paragraph are at most so far apart. A full one has at least so many characters. */
const PITCH = 1.6;
const FULL_LINE = 30;
/** In points: the length of a rule that ends columns. A page with more of them is a drawing. */
const MIN_RULE = 60;
const MAX_RULES = 300;

/** What no gutter between columns crosses besides text: horizontal rules, lines of tables, headers and footers. */
export function barriersOf(segments: readonly Segment[], rules: readonly Box[]): Box[] {
  const lines = linesOfSegments(segments);
  return [...barringRules(rules), ...tabularLines(lines), ...marginLines(lines)];
}

/** The horizontal rules long enough to end columns; none of a drawing's. */
function barringRules(rules: readonly Box[]): Box[] {
  const long = rules.filter(({ x0, x1, y0, y1 }) => x1 - x0 > Math.max(MIN_RULE, y1 - y0));
  return long.length <= MAX_RULES ? long : [];
}

/** From top to bottom, each from left to right. */
function linesOfSegments(segments: readonly Segment[]): Segment[][] {
  const lines: Segment[][] = [];
  for (const segment of segments.toSorted((a, b) => a.base - b.base)) {
    const line = lines.at(-1);
    if (segment.base - (line?.[0]?.base ?? Number.NEGATIVE_INFINITY) <= 2) {
      line?.push(segment);
    } else {
      lines.push([segment]);
    }
  }
  return lines.map((line) => line.toSorted((a, b) => a.x0 - b.x0));
}

/** The lines of several short cells, mostly numbers, which no gutter cuts. */
function tabularLines(lines: readonly Segment[][]): Box[] {
  const full = lines.flat().filter(({ text }) => text.length >= FULL_LINE);
  return lines
    .map((line) => line.filter((segment) => !full.some((above) => adjoins(above, segment))))
    .filter((line) => {
      const cells = piecesOf(line);
      return (
        cells.length >= MIN_CELLS &&
        cells.every((text) => text.length <= MAX_CELL) &&
        cells.filter((text) => NUMBER.test(text)).length >= cells.length / 2
      );
    })
    .map(boundsOf);
}

/** Whether a line is the one below another of the same paragraph. */
function adjoins(above: Segment, below: Segment): boolean {
  const step = below.base - above.base;
  return Math.abs(above.x0 - below.x0) <= 2 && step > 2 && step <= PITCH * (above.y1 - above.y0);
}

/**
 * The first and last line, if they span the page in separate pieces and the last piece isn't aligned with a column or
 * part of a paragraph, as in headers and footers.
 */
function marginLines(lines: readonly Segment[][]): Box[] {
  const segments = lines.flat();
  const { x0, x1 } = boundsOf(segments);
  const reaches = (line: readonly Segment[] = []) => {
    const [first, last] = [line[0], line.at(-1)];
    if (!first || !last || first === last) {
      return false;
    }
    const em = first.y1 - first.y0;
    const inProse = segments.some(
      (each) => each.text.length >= FULL_LINE && (adjoins(each, last) || adjoins(last, each)),
    );
    const below = segments.filter(
      (each) => each.x0 > last.x0 - MAX_INDENT * em && each.x0 < last.x0 + em / 2,
    );
    return first.x0 - x0 < em && x1 - last.x1 < em && below.length <= MOST_BELOW && !inProse;
  };
  const edges = lines.length > 1 ? [lines[0], lines.at(-1)] : [];
  return edges.flatMap((line) => (line && reaches(line) ? [boundsOf(line)] : []));
}
