import MarkdownIt, { type Token } from "markdown-it";
import { hasExtension } from "../formats";
import { type Block, type ParsedFile, parsePlain, toParsedFile } from "./block";

/** The parser silently drops deeper text. */
const DEEPEST = 50;

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
  items: number;
  cells: string[] | null;
}

function readBlocks(tokens: readonly Token[]): Block[] {
  const open: OpenElements = { heading: 0, items: 0, cells: null };
  return tokens.flatMap((token) => {
    const text = textOf(token);
    if (text !== null && open.cells) {
      open.cells.push(text);
      return [];
    }
    return text !== null ? blockAt(open, text) : move(open, token);
  });
}

function blockAt({ heading, items }: OpenElements, text: string): Block {
  if (heading > 0) {
    return { kind: "heading", depth: heading, text };
  }
  return { kind: items > 0 ? "item" : "paragraph", depth: 0, text };
}

/** Applies an opening or closing token. The end of a table row returns that row. */
function move(open: OpenElements, { type, tag }: Token): Block[] {
  switch (type) {
    case "heading_open":
      open.heading = Number(tag.slice(1));
      return [];
    case "heading_close":
      open.heading = 0;
      return [];
    case "list_item_open":
      open.items += 1;
      return [];
    case "list_item_close":
      open.items -= 1;
      return [];
    case "tr_open":
      open.cells = [];
      return [];
    case "tr_close": {
      const text = (open.cells ?? []).join(" | ");
      open.cells = null;
      return [{ kind: "row", depth: 0, text }];
    }
    default:
      return [];
  }
}

/** A token's text; null for one that only opens or closes an element. */
function textOf({ type, content, children }: Token): string | null {
  switch (type) {
    case "inline":
      return (children ?? []).map(inlineText).join("").replace(/\s+/g, " ").trim();
    case "fence":
    case "code_block":
      return content.trim();
    case "html_block":
      return content.replace(HTML_MARKS, " ").replace(/\s+/g, " ").trim();
    default:
      return null;
  }
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
