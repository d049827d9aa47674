/** A run of a source's text that reads as one thing; `start` and `end` are offsets into the text. */
export interface Block {
  kind: "heading" | "text" | "lead" | "item" | "header" | "row";
  start: number;
  end: number;
  /** Of a heading its level, 7 when it is only a short line; of an item its indent. */
  depth: number;
}

interface Line {
  kind: "blank" | "rule" | "heading" | "item" | "row" | "text";
  start: number;
  end: number;
  depth: number;
}

const PLAIN_HEADING = 7;
const HEADING_WORDS = 8;
const MARK = /^([ \t]*)(?:[-*•‣◦–]|\d{1,3}[.)])[ \t]+(?=\S)/;
const RULE = /^[ \t]*(?:[-*_=][ \t]*){3,}$/;
const INLINE_LIST = /(?::|\b(?:includ\w+|are|if))(?=\s+[-•*]\s+\S.*?\s[-•*]\s+\S)/s;
const ROW_RULE = /^[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|?)+[ \t]*$/;

/** The blocks of a Markdown or plain text: headings, list items, table rows and paragraphs. */
export function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let before: Line["kind"] = "blank";
  for (const line of readLines(text)) {
    addLine({ text, blocks, before }, line);
    before = line.kind;
  }
  return blocks
    .filter((block) => /[\p{L}\p{N}]/u.test(text.slice(block.start, block.end)))
    .flatMap((block) => (block.kind === "text" ? splitInlineList(text, block) : [block]))
    .map((block, at, all) => asPlainHeading(text, block, all[at + 1]));
}

function readLines(text: string): Line[] {
  return [...text.matchAll(/[^\r\n]*(?:\r?\n|$)/g)].map(({ 0: raw, index }) =>
    readLine(raw.trimEnd(), index),
  );
}

function readLine(line: string, start: number): Line {
  const end = start + line.length;
  const hashes = /^ {0,3}(#{1,6})[ \t]+(?=\S)/.exec(line);
  if (hashes) {
    const closing = /[ \t]+#+$/.exec(line)?.[0].length ?? 0;
    return { kind: "heading", start: start + hashes[0].length, end: end - closing, depth: hashes[1]?.length ?? 1 };
  }
  if (line === "" || RULE.test(line) || (line.includes("|") && ROW_RULE.test(line))) {
    return { kind: line.trim() === "" ? "blank" : "rule", start, end, depth: 0 };
  }
  if (/^[ \t]*\|/.test(line)) {
    const inner = /^[ \t|]*/.exec(line)?.[0].length ?? 0;
    return { kind: "row", start: start + inner, end: start + line.replace(/[ \t|]*$/, "").length, depth: 0 };
  }
  const mark = MARK.exec(line);
  const depth = mark?.[1]?.length ?? line.length - line.trimStart().length;
  return { kind: mark ? "item" : "text", start: start + (mark?.[0].length ?? depth), end, depth };
}

function addLine(at: { text: string; blocks: Block[]; before: Line["kind"] }, line: Line): void {
  const last = at.blocks.at(-1);
  if (line.kind === "blank") {
    return;
  }
  if (line.kind === "rule") {
    underline(at, line);
  } else if (last && line.kind === "text" && continues(at, line)) {
    last.end = line.end;
  } else {
    at.blocks.push({ kind: line.kind, start: line.start, end: line.end, depth: line.depth });
  }
}

/** A rule under a single line makes it a heading, and under the first row of a table its header. */
function underline({ text, blocks, before }: { text: string; blocks: Block[]; before: Line["kind"] }, line: Line): void {
  const last = blocks.at(-1);
  if (last && before === "row") {
    last.kind = "header";
  } else if (last?.kind === "text" && before === "text" && !text.slice(last.start, last.end).includes("\n")) {
    last.kind = "heading";
    last.depth = text.slice(line.start, line.end).includes("=") ? 1 : 2;
  }
}

function continues({ text, blocks, before }: { text: string; blocks: Block[]; before: Line["kind"] }, line: Line): boolean {
  const last = blocks.at(-1);
  if (last?.kind === "text") {
    return before === "text";
  }
  const isOpen = last?.kind === "item" && before !== "blank";
  return isOpen && (line.depth > last.depth || !/[.!?:]$/.test(text.slice(last.start, last.end)));
}

/** Text whose line breaks were lost keeps its lists as "They include: - one - two - three". */
function splitInlineList(text: string, block: Block): Block[] {
  const body = text.slice(block.start, block.end);
  const opening = INLINE_LIST.exec(body);
  if (!opening) {
    return [block];
  }
  const length = opening.index + opening[0].length;
  const head: Block = { ...block, kind: "lead", end: block.start + length };
  const items = [...body.slice(length).matchAll(/\s+[-•*]\s+(?=\S)(.*?)(?=\s+[-•*]\s+\S|$)/gs)];
  const from = head.end;
  return [
    head,
    ...items.flatMap((item): Block[] => {
      const end = from + item.index + item[0].length;
      const start = end - (item[1]?.length ?? 0);
      return [{ kind: "item", start, end, depth: 0 }];
    }),
  ];
}

function asPlainHeading(text: string, block: Block, next: Block | undefined): Block {
  const line = text.slice(block.start, block.end);
  const mayHead = block.kind === "text" && next !== undefined && !line.includes("\n");
  const isOpen = /[\p{L}\p{N})’'"*]$/u.test(line) || (line.endsWith(":") && next?.kind === "text");
  if (mayHead && isOpen && !/^\p{Ll}/u.test(line) && line.split(/\s+/).length <= HEADING_WORDS) {
    return { ...block, kind: "heading", depth: PLAIN_HEADING };
  }
  return block;
}
