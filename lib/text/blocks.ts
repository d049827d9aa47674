import type { Range } from "./sentences";

/** A block of Markdown or plain text. */
export interface Block extends Range {
  kind: "heading" | "text" | "lead" | "item" | "header" | "row";
  /** A heading's level, 7 for a plain short line; an item's indent. */
  depth: number;
}

interface Line extends Omit<Block, "kind"> {
  kind: "blank" | "rule" | "heading" | "item" | "row" | "text";
}

interface ParserState {
  text: string;
  blocks: Block[];
  before: Line["kind"];
}

const PLAIN_HEADING = 7;
const PLAIN_HEADING_WORDS = 8;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(?=\S)/;
const MARK = /^([ \t]*)(?:[-*•‣◦–]|\d{1,3}[.)])[ \t]+(?=\S)/;
const RULE = /^[ \t]*(?:[-*_=][ \t]*){3,}$/;
const ROW_RULE = /^(?=.*-)(?=.*\|)[-|: \t]+$/;
/** When line breaks were lost, lists read "They include: - one - two - three". */
const INLINE_LIST =
  /(?::|\b(?:include|includes|including|are|if))(?=\s+[-•*]\s+\S.*?\s[-•*]\s+\S)/s;
/** The lookbehind tries each run of blanks once; without it, a long run takes quadratic time. */
const INLINE_MARK = /(?<!\s)\s+[-•*]\s+(?=\S)/g;

/** Parses Markdown or plain text into headings, list items, table rows and paragraphs. */
export function readBlocks(text: string): Block[] {
  const state: ParserState = { text, blocks: [], before: "blank" };
  for (const { 0: raw, index } of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    const line = readLine(raw.trimEnd(), index);
    addLine(state, line);
    state.before = line.kind;
  }
  return state.blocks
    .filter((block) => /[\p{L}\p{N}]/u.test(text.slice(block.start, block.end)))
    .flatMap((block) => (block.kind === "text" ? splitInlineList(text, block) : [block]))
    .map((block, at, all) =>
      isPlainHeading(text, block, all[at + 1])
        ? { ...block, kind: "heading", depth: PLAIN_HEADING }
        : block,
    );
}

function readLine(line: string, start: number): Line {
  const end = start + line.length;
  const heading = HEADING.exec(line);
  if (heading) {
    const [opening, hashes = "#"] = heading;
    const closed = line.slice(0, trimmedLength(line, "#")).trimEnd();
    return {
      kind: "heading",
      start: start + opening.length,
      end: start + closed.length,
      depth: hashes.length,
    };
  }
  if (line === "" || RULE.test(line) || ROW_RULE.test(line)) {
    return { kind: line === "" ? "blank" : "rule", start, end, depth: 0 };
  }
  if (/^[ \t]*\|/.test(line)) {
    const opening = line.length - line.replace(/^[ \t|]+/, "").length;
    const closing = trimmedLength(line, " \t|");
    return { kind: "row", start: start + opening, end: start + closing, depth: 0 };
  }
  const mark = MARK.exec(line);
  const indent = line.length - line.trimStart().length;
  const [kind, lead] = mark ? (["item", mark[0].length] as const) : (["text", indent] as const);
  return { kind, start: start + lead, end, depth: indent };
}

/** A regular expression would take quadratic time here. */
export function trimmedLength(line: string, characters: string): number {
  let end = line.length;
  while (end > 0 && characters.includes(line.charAt(end - 1))) {
    end -= 1;
  }
  return end;
}

function addLine(state: ParserState, line: Line): void {
  const last = state.blocks.at(-1);
  if (line.kind === "blank") {
    return;
  }
  if (line.kind === "rule") {
    underline(state, line);
  } else if (last && line.kind === "text" && continues(state, line, last)) {
    last.end = line.end;
  } else {
    state.blocks.push({ ...line, kind: line.kind });
  }
}

/** A rule turns the line above it into a heading, or the first table row into the header. */
function underline({ text, blocks, before }: ParserState, line: Line): void {
  const last = blocks.at(-1);
  if (last && before === "row") {
    last.kind = "header";
    return;
  }
  const isOneLine = last && !text.slice(last.start, last.end).includes("\n");
  if (last?.kind === "text" && before === "text" && isOneLine) {
    last.kind = "heading";
    last.depth = text.slice(line.start, line.end).includes("=") ? 1 : 2;
  }
}

function continues({ text, before }: ParserState, line: Line, last: Block): boolean {
  if (last.kind === "text") {
    return before === "text";
  }
  const isOpen = last.kind === "item" && before !== "blank";
  return isOpen && (line.depth > last.depth || !/[.!?:]/.test(text.charAt(last.end - 1)));
}

function splitInlineList(text: string, block: Block): Block[] {
  const body = text.slice(block.start, block.end);
  const opening = INLINE_LIST.exec(body);
  if (!opening) {
    return [block];
  }
  const from = opening.index + opening[0].length;
  const marks = [...body.slice(from).matchAll(INLINE_MARK)];
  const items = marks.map((mark, at): Block => {
    const start = block.start + from + mark.index + mark[0].length;
    const next = marks[at + 1];
    return {
      kind: "item",
      start,
      end: next ? block.start + from + next.index : block.end,
      depth: 0,
    };
  });
  return [{ ...block, kind: "lead", end: block.start + from }, ...items];
}

/** A short line without an end mark, followed by something. */
function isPlainHeading(text: string, block: Block, next: Block | undefined): boolean {
  const line = text.slice(block.start, block.end);
  if (block.kind !== "text" || next === undefined || line.includes("\n") || /^\p{Ll}/u.test(line)) {
    return false;
  }
  const isOpen = /[\p{L}\p{N})’'"*]$/u.test(line) || (line.endsWith(":") && next.kind === "text");
  return isOpen && line.split(/\s+/).length <= PLAIN_HEADING_WORDS;
}
