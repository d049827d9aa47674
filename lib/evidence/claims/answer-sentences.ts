import { type Block, readBlocks } from "@/lib/text/blocks";
import { isAbbreviated, type Range, sentenceRanges, trimRange } from "@/lib/text/sentences";
import type { PlacedMarker } from "../markers/output-buffer";
import { abstains } from "./abstention";

/** Not claims of the model's own: quoted lines, rows, lead-ins and questions. */
const NO_CLAIM = /^\s*[>|]|[:：?？؟]["'”’»)*_]*$/u;

/** A sentence of an answer. It owns the markers from `from` up to the next sentence's `from`. */
export interface Sentence extends Range {
  from: number;
  isStatement: boolean;
  /** The index of its paragraph, list item, row or heading. */
  block: number;
}

/** Whether a sentence may be a claim of the model's own. */
export function mayBeClaim(text: string, { start, end, isStatement }: Sentence): boolean {
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, end);
  return isStatement && !NO_CLAIM.test(line) && !abstains(text.slice(start, end));
}

/** The sentences of an answer outside of code blocks. List items, rows and headings are never joined. */
export function answerSentences(text: string, markers: readonly PlacedMarker[]): Sentence[] {
  const flat = flatten(blankFences(text), markers);
  const outline = blankFences(text.replace(LONG_BLANKS, (blanks) => "x".repeat(blanks.length)));
  const sentences: Sentence[] = [];
  let next = 0;
  const blocks = readBlocks(outline).flatMap((each) => entriesOf(outline, each));
  for (const [index, block] of blocks.entries()) {
    const first = next;
    while ((markers[next]?.start ?? Number.POSITIVE_INFINITY) < block.end) {
      next += 1;
    }
    // A line of markers only has no sentence; they belong to the line above it.
    for (const [at, range] of rangesOf(flat, block, markers.slice(first, next)).entries()) {
      const from = at === 0 ? block.start : range.start;
      const left = sentences.at(-1)?.end ?? 0;
      const room = { start: Math.max(left, block.start), end: block.end };
      const isStatement = block.kind !== "heading" && block.kind !== "header";
      sentences.push({ ...withEmphasis(text, range, room), from, isStatement, block: index });
    }
  }
  return sentences.length > 0
    ? sentences
    : [{ start: 0, end: 0, from: 0, isStatement: false, block: 0 }];
}

/** Splits off lines that begin with a marker, as in a list of sources. */
function entriesOf(text: string, block: Block): Block[] {
  const body = text.slice(block.start, block.end);
  const starts = [...body.matchAll(/\n[ \t]*(?=(?:\[\d{1,3}\])+[ \t]+\p{Lu})/gu)].map(
    ({ index, 0: lead }) => block.start + index + lead.length,
  );
  return [block.start, ...starts].map((start, at) => ({
    ...block,
    start,
    end: starts[at] ?? block.end,
  }));
}

function rangesOf(flat: string, block: Block, markers: readonly PlacedMarker[]): Range[] {
  const body = flat.slice(block.start, block.end);
  const isWhole = block.kind === "row" || block.kind === "header" || block.kind === "heading";
  const found = isWhole ? [trimRange(body, 0, body.length)] : sentenceRanges(body);
  const cuts = isWhole ? [] : cutsOf(flat, block, markers);
  return joinScraps(body, splitAll(body, found, cuts)).map(({ start, end }) => ({
    start: start + block.start,
    end: end + block.start,
  }));
}

const CLOSED = /[.!?…。！？।؟]["'”’»)\]]*$/;
/** How much text before a marker to check for the end of a sentence. */
const AROUND = 24;

/** Offsets where a marker after a full stop ends a sentence. */
function cutsOf(flat: string, block: Block, markers: readonly PlacedMarker[]): number[] {
  return markers.flatMap(({ start, end }) => {
    const said = flat.slice(Math.max(block.start, start - AROUND), start).trimEnd();
    return CLOSED.test(said) && !isAbbreviated(said) ? [end - block.start] : [];
  });
}

function splitAll(body: string, ranges: readonly Range[], cuts: readonly number[]): Range[] {
  const parts: Range[] = [];
  let next = 0;
  for (const range of ranges) {
    let from = range.start;
    for (let cut = cuts[next]; cut !== undefined && cut < range.end; cut = cuts[next]) {
      if (cut > from) {
        parts.push(trimRange(body, from, cut));
        from = cut;
      }
      next += 1;
    }
    parts.push(trimRange(body, from, range.end));
  }
  return parts;
}

/** Appends fragments without words, such as closing brackets and quotes, to the sentence before. */
function joinScraps(body: string, ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    const text = body.slice(range.start, range.end);
    const closers = /^[)\]”’»]+/.exec(body.slice(range.start, range.start + 8))?.[0].length ?? 0;
    if (!/[\p{L}\p{N}]/u.test(text)) {
      if (last && text !== "") {
        last.end = range.end;
      }
    } else if (last && closers > 0) {
      last.end = range.start + closers;
      joined.push(trimRange(body, last.end, range.end));
    } else {
      joined.push({ ...range });
    }
  }
  return joined;
}

function withEmphasis(text: string, range: Range, room: Range): Range {
  let { start, end } = range;
  while (start > room.start && /[*_]/.test(text.charAt(start - 1))) {
    start -= 1;
  }
  while (end < room.end && /[*_]/.test(text.charAt(end))) {
    end += 1;
  }
  return { start, end };
}

/** Long blanks within a line, which are slow to parse. Replaced by letters, they change no block. */
const LONG_BLANKS = /(?<=\S)[^\S\n]{32,}(?=\S)/g;

/** Blanks out fenced code, keeping every offset. */
function blankFences(text: string): string {
  let fence = "";
  return text.replace(/[^\n]+/g, (line) => {
    const mark = /^[ \t>]*(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1] ?? "";
    const isInside = fence !== "" || mark !== "";
    if (fence === "") {
      fence = mark;
    } else if (mark.startsWith(fence) && /[`~]\s*$/.test(line)) {
      fence = "";
    }
    return isInside ? " ".repeat(line.length) : line;
  });
}

const EMPHASIS = /\*+|__+|(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])/gu;

/** Replaces markers and emphasis with blanks and inline code with letters, keeping every offset. */
function flatten(text: string, markers: readonly PlacedMarker[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of markers) {
    pieces.push(text.slice(at, start), " ".repeat(end - start));
    at = end;
  }
  return [...pieces, text.slice(at)]
    .join("")
    .replace(/`[^`\n]+`/g, (code) => "x".repeat(code.length))
    .replace(EMPHASIS, (signs) => " ".repeat(signs.length));
}
