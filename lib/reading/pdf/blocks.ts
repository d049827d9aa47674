import type { Block } from "../parse/block";
import { isCode, toListing } from "../parse/listing";
import { type Box, median, type PlacedRow, type Word } from "./geometry";
import { joinLines, type Line, linesOf, lineText } from "./lines";
import { rowBlocks, type TableRows } from "./table-rows";
import { tablesOf } from "./tables";

/** A block with what shows whether it is a heading. */
export interface PdfBlock extends Block {
  size: number;
  isBold: boolean;
  lines: number;
  /** The table of which it is a row. */
  rows?: TableRows;
  /** In the order in which its text was made of them. */
  words: readonly Word[];
}

/** As a multiple of the usual distance between lines: a larger one separates paragraphs. */
const PARAGRAPH_DISTANCE = 1.4;
/** In em: letters of another size begin another paragraph, and an indented line does after a sentence. */
const SIZE_CHANGE = 0.12;
const INDENT = 0.8;
/** The share of a line that the last one of a paragraph leaves empty. */
const SHORT = 0.15;
const BULLET =
  /^[•‣◦▪●○■□❑➢✓·\uf06e\uf06f\uf071\uf076\uf0a7\uf0a8\uf0b7\uf0d8\uf0fc]\s*|^[-–—*]\s+/;
/** An option of a form begins with its box. */
const BOX = /^[☐☑☒]/;
const NUMBERED = /^(?:\(?\d{1,3}[.)]|\(?[a-z][.)]|\([ivx]{1,5}\))\s+(?=\S)/;
/** The dots before the page number of an entry in a table of contents. */
const LEADER = /(?<![.·…]\s?)(?:\s?[.·…]){4,}(?=\s*(?:\d{1,4}|[ivxlc]{1,8})$)/i;
const SENTENCE_END = /[.!?:;。！？][)"'”’»\]]*$/;

/** The blocks of a region: its tables, headings, items and paragraphs. */
export function regionBlocks(words: readonly Word[], rules: readonly Box[]): PdfBlock[] {
  const lines = linesOf(words);
  const blocks: PdfBlock[] = [];
  let from = 0;
  for (const [at, line] of [...lines, null].entries()) {
    const table = line?.words[0]?.table;
    if (!line || table) {
      blocks.push(...unruled(lines.slice(from, at), rules));
      from = at + 1;
    }
    blocks.push(...(table ?? []).map(toPdfBlock));
  }
  return blocks;
}

function toPdfBlock(block: PlacedRow & { rows?: TableRows }): PdfBlock {
  return { ...block, size: 0, isBold: false, lines: 1 };
}

function unruled(lines: readonly Line[], rules: readonly Box[]): PdfBlock[] {
  const blocks: PdfBlock[] = [];
  let from = 0;
  for (const table of tablesOf(lines, rules)) {
    blocks.push(...paragraphsOf(lines.slice(from, table.start)));
    blocks.push(...rowBlocks(table).map(toPdfBlock));
    from = table.end;
  }
  return [...blocks, ...paragraphsOf(lines.slice(from))];
}

interface Region {
  right: number;
  left: number;
  width: number;
  /** The usual distance between baselines. */
  pitch: number;
}

/** The paragraphs, items and listings of lines. */
function paragraphsOf(lines: readonly Line[]): PdfBlock[] {
  const listing = nextListing(lines);
  if (!listing) {
    return proseOf(lines);
  }
  const own = lines.slice(listing.start, listing.end);
  const block = { ...toBlock(own), kind: "paragraph" as const, text: listingText(own) };
  return [
    ...proseOf(lines.slice(0, listing.start)),
    block,
    ...paragraphsOf(lines.slice(listing.end)),
  ];
}

function proseOf(lines: readonly Line[]): PdfBlock[] {
  const steps = lines
    .slice(1)
    .map((line, at) => line.base - (lines[at]?.base ?? 0))
    .filter((step, at) => step < 2.2 * (lines[at]?.size ?? 0));
  const right = Math.max(...lines.map(({ x1 }) => x1));
  const left = Math.min(...lines.map(({ x0 }) => x0));
  const region = { left, right, width: right - left, pitch: median(steps) };
  const groups: Line[][] = [];
  for (const line of lines) {
    const group = groups.at(-1);
    if (group && !startsBlock(line, group, region)) {
      group.push(line);
    } else {
      groups.push([line]);
    }
  }
  return groups.map(toBlock).filter(({ text }) => text !== "");
}

function startsBlock(line: Line, group: readonly Line[], region: Region): boolean {
  const before = group.at(-1) ?? line;
  const step = line.base - before.base;
  const usual = region.pitch || line.size * 1.3;
  const largest = Math.max(line.size, before.size);
  return (
    step > PARAGRAPH_DISTANCE * Math.max(usual, 1.05 * largest) ||
    Math.abs(line.size - before.size) > SIZE_CHANGE * largest ||
    line.isBold !== before.isBold ||
    LEADER.test(lineText(before.words)) ||
    startsParagraph(line, group, region)
  );
}

/** Whether a line of the same style begins an item or a paragraph. */
function startsParagraph(line: Line, group: readonly Line[], region: Region): boolean {
  const before = group.at(-1) ?? line;
  const first = group[0] ?? line;
  const isEnd = SENTENCE_END.test(lineText(before.words));
  const room = line.isRtl ? before.x0 - region.left : region.right - before.x1;
  const isShort = room > region.width * SHORT;
  if (isItem(first)) {
    return isItem(line) || leavesItem(line, group, isEnd || isShort);
  }
  const text = lineText(line.words);
  const indent = line.isRtl ? 0 : line.x0 - Math.max(region.left, before.x0);
  const isAfterEnd = isEnd && (isShort || indent > INDENT * line.size);
  return (
    BULLET.test(text) || BOX.test(text) || isAfterEnd || (NUMBERED.test(text) && (isEnd || isShort))
  );
}

/** Whether a line stands as far out as the item's bullet. */
function leavesItem(line: Line, item: readonly Line[], isEnd: boolean): boolean {
  const first = item[0] ?? line;
  const before = item.at(-1) ?? line;
  const isBack = line.x0 < first.x0 + 0.3 * line.size;
  return isBack && (item.length > 1 ? line.x0 < before.x0 - 1 : isEnd);
}

function isItem(line: Line): boolean {
  const text = lineText(line.words);
  return BULLET.test(text) || NUMBERED.test(text);
}

function toBlock(lines: readonly Line[]): PdfBlock {
  const joined = lines.map(({ words }) => lineText(words)).reduce(joinLines, "");
  const isBulleted = BULLET.test(joined);
  const text = (isBulleted ? joined.replace(BULLET, "") : joined).replace(LEADER, " …");
  const longest = lines.reduce((best, line) =>
    line.words.length > best.words.length ? line : best,
  );
  return {
    kind: isBulleted ? "item" : "paragraph",
    depth: 0,
    text: text.trim(),
    size: longest.size,
    isBold: lines.every(({ isBold }) => isBold),
    lines: lines.length,
    words: lines.flatMap(({ words }) => words),
    ...(lines.some(({ isHidden }) => isHidden) && { isHidden: true }),
  };
}

/** As a multiple of the size: lines further apart are of two listings, and with more than the second a line is blank. */
const MAX_STEP = 2.8;
const BLANK_STEP = 1.6;
/** Where the next listing begins and ends among lines; null if there is none. */
function nextListing(lines: readonly Line[]): { start: number; end: number } | null {
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
function listingText(lines: readonly Line[]): string {
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
