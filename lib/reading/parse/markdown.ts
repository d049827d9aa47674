import MarkdownIt, { type Token } from "markdown-it";
import { appendStruck, CHECKED, UNCHECKED } from "@/lib/text/unasserted";
import { hasExtension } from "../formats";
import { joinLabel } from "../office/list-labels";
import { type Block, type ParsedFile, parsePlain, toParsedFile } from "./block";
import { toListing } from "./listing";
import { toRows } from "./write-table";

/** The parser silently drops deeper text. */
const DEEPEST = 50;
const UNNUMBERED = -1;

/** Comments, scripts and tags. No match spans the start of another, which keeps the time linear. */
const HTML_MARKS =
  /<!--(?:(?!<!--)[\s\S])*?-->|<(script|style)\b(?:(?!<\1\b)[\s\S])*?<\/\1>|<[^<>]+>/gi;

// Raw HTML is stripped below. Only the text of links is used, so they need no validation.
const markdown = new MarkdownIt({ html: true, maxNesting: DEEPEST });

/** Judges by the file's name, or by a heading in the text. */
export function isMarkdown(name: string | null, text: string): boolean {
  return hasExtension(name, "markdown") || /^#{1,6} \S/m.test(text);
}

/** Strips the markup of CommonMark with tables. Text that is nested too deeply is parsed as plain text. */
export function parseMarkdown(text: string): ParsedFile {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, "");
  const tokens = markdown.parse(body, {});
  if (tokens.some(({ level }) => level >= DEEPEST - 1)) {
    return { ...toParsedFile(parsePlain(body)), warnings: new Map([["deeply_nested", 1]]) };
  }
  return toParsedFile(readBlocks(tokens).filter((block) => block.text));
}

/** The elements that are open. They decide the kind of the next text. */
interface OpenElements {
  heading: number;
  /** The labels of the items, outermost first; empty for one without a number. */
  items: string[];
  /** The next number of each list; negative without numbers. */
  lists: number[];
  /** Whether an item has begun of which no text was read yet. */
  isNewItem: boolean;
  rows: string[][] | null;
}

function readBlocks(tokens: readonly Token[]): Block[] {
  const open: OpenElements = { heading: 0, items: [], lists: [], isNewItem: false, rows: null };
  return tokens.flatMap((token) => {
    const text = textOf(token);
    if (text === null) {
      return move(open, token);
    }
    open.rows?.at(-1)?.push(text);
    return open.rows ? [] : toBlock(open, text);
  });
}

function toBlock(open: OpenElements, content: string): Block {
  const label = open.isNewItem ? (open.items.at(-1) ?? "") : "";
  const text = open.isNewItem ? withBox(content) : content;
  open.isNewItem = false;
  return { kind: kindAt(open), depth: open.heading, text, ...(label && { label }) };
}

/** An item of a list of tasks with its box as a sign. */
function withBox(text: string): string {
  return text.replace(/^\[[ xX]\](?=\s)/, (box) => (box === "[ ]" ? UNCHECKED : CHECKED));
}

function kindAt({ heading, items }: OpenElements): Block["kind"] {
  if (heading > 0) {
    return "heading";
  }
  return items.length > 0 ? "item" : "paragraph";
}

/** Applies an opening or closing token. The end of a table returns its rows. */
function move(open: OpenElements, token: Token): Block[] {
  const { tag, nesting } = token;
  const { rows } = open;
  if (/^(?:li|[ou]l)$/.test(tag)) {
    moveInList(open, token);
  } else if (tag === "table") {
    open.rows = nesting > 0 ? [] : null;
    return rows ? toRows(rows, 1) : [];
  } else if (tag === "tr" && nesting > 0) {
    rows?.push([]);
  } else if (/^h[1-6]$/.test(tag)) {
    open.heading = nesting > 0 ? Number(tag.slice(1)) : 0;
  }
  return [];
}

/** Opens or closes a list or an item, whose label includes those above it, as in HTML. */
function moveInList(open: OpenElements, token: Token): void {
  const { items, lists } = open;
  if (token.nesting < 0) {
    (token.tag === "li" ? items : lists).pop();
  } else if (token.tag === "li") {
    const number = lists.pop() ?? UNNUMBERED;
    const isNumbered = number !== UNNUMBERED;
    items.push(isNumbered ? joinLabel(items, `${number}.`) : "");
    lists.push(isNumbered ? number + 1 : UNNUMBERED);
    open.isNewItem = true;
  } else {
    lists.push(firstNumber(token));
  }
}

function firstNumber({ tag, attrs }: Token): number {
  const start = new Map(attrs).get("start");
  return tag === "ol" ? Number(start ?? 1) : UNNUMBERED;
}

/** A token's text; null for one that only opens or closes an element. */
function textOf({ type, content, children }: Token): string | null {
  switch (type) {
    case "inline":
      return inlineTexts(children ?? [])
        .replace(/\s+/g, " ")
        .trim();
    case "fence":
    case "code_block":
      return toListing(content);
    case "html_block":
      return content.replace(HTML_MARKS, " ").replace(/\s+/g, " ").trim();
    default:
      return null;
  }
}

function inlineTexts(tokens: readonly Token[]): string {
  let text = "";
  let depth = 0;
  for (const token of tokens) {
    depth = Math.max(0, depth + strikes(token));
    text = depth > 0 ? appendStruck(text, inlineText(token)) : text + inlineText(token);
  }
  return text;
}

/** 1 where struck-out text begins, −1 where it ends. */
function strikes({ type, tag, nesting, content }: Token): number {
  if (tag === "s") {
    return nesting;
  }
  const [, end] =
    (type === "html_inline" && /^<(\/?)(?:s|del|strike)(?:\s[^>]*)?>$/i.exec(content)) || [];
  return end === undefined ? 0 : end ? -1 : 1;
}

function inlineText({ type, content }: Token): string {
  switch (type) {
    case "text":
    case "text_special":
    case "code_inline":
    case "image":
      return content;
    case "softbreak":
    case "hardbreak":
      return " ";
    default:
      return "";
  }
}
