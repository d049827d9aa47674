import type { Range } from "./places";

/** A part of the answer; `isBound`: on one line. */
interface Part extends Range {
  isBound: boolean;
}

/** Longer words may have to break. Scripts without spaces have no last word. */
const LAST_WORD =
  /(?<=^|\s)(?:\d[\d.,]{0,12} )?[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{S}]{1,24}[ \u00a0]?$/u;
/** More than the longest word and number before it. */
const LOOKBEHIND = 60;
const CLOSING = /[.,;:!?…)\]}”’»]*/y;
/** Longer runs of markers may break. */
const MAX_MARKERS = 3;

/** Splits a range of the answer so that a marker stays with the word before it, the next markers and the punctuation after it. */
export function bindMarkers(content: string, range: Range, markers: readonly Range[]): Part[] {
  const runs: (Range & { markers: number })[] = [];
  for (const { start, end } of markers) {
    const last = runs.at(-1);
    const closed = endOfClosing(content, range, end);
    if (last && last.markers < MAX_MARKERS && /^[ \u00a0]?$/.test(content.slice(last.end, start))) {
      last.end = closed;
      last.markers += 1;
    } else {
      const from = Math.max(range.start, last?.end ?? 0);
      const before = content.slice(Math.max(from, start - LOOKBEHIND), start);
      const word = LAST_WORD.exec(before)?.[0] ?? "";
      runs.push({ start: start - word.length, end: closed, markers: 1 });
    }
  }
  const edges = [range.start, ...runs.flatMap(({ start, end }) => [start, end]), range.end];
  return edges
    .slice(1)
    .map((end, index) => ({ start: edges[index] ?? end, end, isBound: index % 2 === 1 }))
    .filter(({ start, end }) => start < end);
}

/** The end of the punctuation after a marker, which must not begin a line. */
function endOfClosing(content: string, range: Range, end: number): number {
  CLOSING.lastIndex = end;
  return Math.min(range.end, end + (CLOSING.exec(content)?.[0].length ?? 0));
}
