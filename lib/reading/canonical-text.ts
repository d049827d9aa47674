import { headerOf } from "@/lib/text/tables";
import { countTokens, takeTokens } from "@/lib/text/tokens";
import { clip, MAX_HEADING } from "./describe";
import type { Block } from "./parse/block";

/** Ranges of a text: start and end of each in turn. */
export interface RecognizedRanges {
  /** What was recognized in images. */
  recognized: number[];
  /** Recognized words that may be wrong. */
  uncertain: number[];
}

/** A document's text, and the places of its parts. */
export interface CanonicalText {
  text: string;
  lines: Line[];
  /** Offsets at which pages begin, from page 1. */
  pageStarts: number[];
  /** Offsets of the blocks' own texts. */
  starts: number[];
  ranges: RecognizedRanges;
}

/** A block other than a heading, or a table's header, with its place in the canonical text. */
export interface Line {
  text: string;
  start: number;
  page: number | null;
  isHidden: boolean;
  isRecognized: boolean;
  /** One array per section: its identity distinguishes sections. */
  headings: string[];
  /** Of a table's header and the rows below it, which share a passage. */
  table: Table | null;
}

/** A header with as many rows as fit into a passage. */
interface Table {
  head: string;
  tokens: number;
}

const BLANK_LINE = 2;
const ROW_START = "| ";

/** Writes blocks as one text, with the header of a table above its first row and again where a passage is full. */
export function layOut(blocks: readonly Block[], chunkTokens: number): CanonicalText {
  const starts: number[] = [];
  const parts: string[] = [];
  const lines: Line[] = [];
  const pageStarts: number[] = [];
  const ranges: RecognizedRanges = { recognized: [], uncertain: [] };
  let length = 0;
  const headingsOf = trackHeadings();
  for (const [index, block] of blocks.entries()) {
    const before = gap(blocks[index - 1], block);
    const from = length + before.length;
    const headings = headingsOf(block);
    const { header, line } = linesOf(block, { from, headings, before: lines.at(-1), chunkTokens });
    lines.push(...header, ...(block.kind === "heading" ? [] : [line]));
    const { text, start } = line;
    for (const { start, text } of header) {
      addRanges(ranges, block.uncertainHead, { start, text, lead: ROW_START.length });
    }
    addRanges(ranges, block.uncertain, { start, text, lead: text.indexOf(block.text) });
    // A page without text begins where the next one does.
    while (pageStarts.length < (block.page ?? 0)) {
      pageStarts.push(pageStarts.length === 0 ? 0 : from);
    }
    starts.push(start + leadOf(block, text));
    parts.push(before, ...header.map((each) => `${each.text}\n`), text);
    length = start + text.length;
  }
  return { text: parts.join(""), lines, pageStarts, ranges, starts };
}

interface Place {
  from: number;
  headings: string[];
  before: Line | undefined;
  chunkTokens: number;
}

/** A block's line, with the header above it unless that is there already. */
function linesOf(
  block: Block,
  { from, headings, before, chunkTokens }: Place,
): { header: Line[]; line: Line } {
  const { page = null, isHidden = false, uncertain } = block;
  const text = markUp(block);
  const open = before?.headings === headings ? before.table : null;
  const table = tableOf(block.head, { text, open, chunkTokens });
  const facts = { page, isRecognized: uncertain !== undefined, headings, table };
  if (!table || table === open) {
    return { header: [], line: { ...facts, text, start: from, isHidden } };
  }
  const header = headerOf(table.head);
  const start = from + header.length + 1;
  return {
    header: [{ ...facts, text: header, start: from, isHidden: false }],
    line: { ...facts, text, start, isHidden },
  };
}

/** The table of a row: the open one if it has the same header and room, or else a new one. */
function tableOf(
  head: string | undefined,
  { text, open, chunkTokens }: { text: string; open: Table | null; chunkTokens: number },
): Table | null {
  if (head === undefined) {
    return null;
  }
  const tokens = countTokens(text);
  if (open?.head === head && open.tokens + tokens <= chunkTokens) {
    open.tokens += tokens;
    return open;
  }
  return { head, tokens: countTokens(headerOf(head)) + tokens };
}

/** Adds the ranges of recognized text. Neighboring blocks have one. */
function addRanges(
  { recognized, uncertain }: RecognizedRanges,
  words: readonly number[] | undefined,
  { start, text, lead }: { start: number; text: string; lead: number },
): void {
  if (words === undefined) {
    return;
  }
  const end = start + text.length;
  const isNext = start - (recognized.at(-1) ?? Number.NEGATIVE_INFINITY) <= BLANK_LINE;
  if (isNext) {
    recognized.pop();
  }
  recognized.push(...(isNext ? [end] : [start, end]));
  uncertain.push(...words.map((place) => start + lead + place));
}

/** List items and table rows as in Markdown, so that each can be told from its neighbors and quoted alone. */
function markUp({ kind, text, label = "-" }: Block): string {
  switch (kind) {
    case "item":
      return `${label} ${text}`;
    case "row":
      return `${ROW_START}${text} |`;
    default:
      return text;
  }
}

/** How many characters of the marked-up text come before the block's own. */
function leadOf(block: Block, marked: string): number {
  return block.kind === "row" ? ROW_START.length : marked.length - block.text.length;
}

/** The separator before a block: none, a line break inside a list or table, or a blank line. */
function gap(before: Block | undefined, block: Block): string {
  if (!before) {
    return "";
  }
  const isTight =
    before.kind === block.kind &&
    (block.kind === "item" || (block.kind === "row" && before.head === block.head));
  return isTight ? "\n" : "\n\n";
}

/** Limits on a chunk's headings together, because every prompt repeats them. */
const LONGEST_PATH = 400;
const PATH_TOKENS = 100;

/** Returns the headings above each block: those of its section, and a table's caption. One array per section or table. */
function trackHeadings(): (block: Block) => string[] {
  let path: Block[] = [];
  let section: string[] = [];
  let table: { caption: string; headings: string[] } | null = null;
  return (block) => {
    const { kind, depth, caption } = block;
    if (kind === "heading") {
      path = [...path.filter((heading) => heading.depth < depth), block];
      section = shortPath(path.map(({ text }) => text));
    }
    if (caption === undefined) {
      table = null;
      return section;
    }
    if (table?.caption !== caption) {
      table = { caption, headings: shortPath([...path.map(({ text }) => text), caption]) };
    }
    return table.headings;
  };
}

/** Shortens the headings and drops the outermost ones that don't fit. */
function shortPath(headings: readonly string[]): string[] {
  const kept: string[] = [];
  let room = { characters: LONGEST_PATH, tokens: PATH_TOKENS };
  for (const heading of headings.toReversed()) {
    const text = takeTokens(clip(heading, MAX_HEADING), PATH_TOKENS);
    room = { characters: room.characters - text.length, tokens: room.tokens - countTokens(text) };
    if (kept.length > 0 && (room.characters < 0 || room.tokens < 0)) {
      break;
    }
    kept.unshift(text);
  }
  return kept;
}
