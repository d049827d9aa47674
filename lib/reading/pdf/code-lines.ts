import { isCode, toListing } from "../parse/listing";
import { median } from "./geometry";
import { type Line, lineText } from "./lines";

/** As a multiple of the size: lines further apart are of two listings, and with more than the second a line is blank. */
const MAX_STEP = 2.8;
const BLANK_STEP = 1.6;
/** Where the next listing begins and ends among lines; null if there is none. */
export function nextListing(lines: readonly Line[]): { start: number; end: number } | null {
  for (let start = 0; start < lines.length; start += 1) {
    let end = start;
    while (isMono(lines[end]) && (end === start || isNear(lines[end - 1], lines[end]))) {
      end += 1;
    }
    if (end - start > 1 && isCode(lines.slice(start, end).map(({ words }) => lineText(words)))) {
      return { start, end };
    }
    start = Math.max(start, end - 1);
  }
  return null;
}

function isMono(line: Line | undefined): boolean {
  return line?.words.every((word) => word.isMono && !word.table) ?? false;
}

function isNear(before: Line | undefined, line: Line | undefined): boolean {
  return (
    before !== undefined && line !== undefined && line.base - before.base < MAX_STEP * line.size
  );
}

/** The text of a listing, with its indentation by the width of its characters. */
export function listingText(lines: readonly Line[]): string {
  const words = lines.flatMap((line) => line.words);
  const width = median(words.map(({ x0, x1, text }) => (x1 - x0) / Math.max(1, text.length)));
  const left = Math.min(...lines.map(({ x0 }) => x0));
  const pitch = Math.min(...lines.slice(1).map(({ base }, at) => base - (lines[at]?.base ?? 0)));
  const rows = lines.map((line, at) => {
    const step = line.base - (lines[at - 1]?.base ?? line.base);
    const indent = " ".repeat(width > 0 ? Math.round((line.x0 - left) / width) : 0);
    return `${step > BLANK_STEP * pitch ? "\n" : ""}${indent}${lineText(line.words)}`;
  });
  return toListing(rows.join("\n"));
}
