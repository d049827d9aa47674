import MarkdownIt, { type Token } from "markdown-it";
import { type Block, type ParsedFile, toParsedFile } from "./block";
import { parsePlain } from "./plain";

/** Deeper than this the parser drops text without a word. */
const DEEPEST = 50;

/** Comments, scripts and tags; none reaches over the start of another, so that time grows with length. */
const HTML_MARKS =
  /<!--(?:(?!<!--)[\s\S])*?-->|<(script|style)\b(?:(?!<\1\b)[\s\S])*?<\/\1>|<[^<>]+>/gi;

// Raw HTML is taken for text and dropped below; links need no validation, because only their text is kept.
const markdown = new MarkdownIt({ html: true, maxNesting: DEEPEST });

/** Whether a name or the text itself says Markdown. */
export function isMarkdown(name: string | null, text: string): boolean {
  return /\.(md|markdown|mdown)$/i.test(name ?? "") || /^#{1,6} \S/m.test(text);
}

/** A Markdown text (CommonMark with tables), without its marks; with them when it is nested too deep. */
export function parseMarkdown(text: string): ParsedFile {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, "");
  const tokens = markdown.parse(body, {});
  if (tokens.some(({ level }) => level >= DEEPEST - 1)) {
    return { ...toParsedFile(parsePlain(body)), warnings: new Map([["deeply_nested", 1]]) };
  }
  return toParsedFile(readBlocks(tokens).filter((block) => block.text));
}

/** What the tokens so far have opened: it decides what the next text is. */
interface Place {
  heading: number;
  items: number;
  cells: string[] | null;
}

function readBlocks(tokens: readonly Token[]): Block[] {
  const place: Place = { heading: 0, items: 0, cells: null };
  return tokens.flatMap((token) => {
    const text = textOf(token);
    if (text !== null && place.cells) {
      place.cells.push(text);
      return [];
    }
    return text !== null ? blockAt(place, text) : move(place, token);
  });
}

function blockAt({ heading, items }: Place, text: string): Block {
  if (heading > 0) {
    return { kind: "heading", depth: heading, text };
  }
  return { kind: items > 0 ? "item" : "paragraph", depth: 0, text };
}

/** Follows an opening or closing token; the end of a table's row gives that row. */
function move(place: Place, { type, tag }: Token): Block[] {
  switch (type) {
    case "heading_open":
      place.heading = Number(tag.slice(1));
      return [];
    case "heading_close":
      place.heading = 0;
      return [];
    case "list_item_open":
      place.items += 1;
      return [];
    case "list_item_close":
      place.items -= 1;
      return [];
    case "tr_open":
      place.cells = [];
      return [];
    case "tr_close": {
      const text = (place.cells ?? []).join(" | ");
      place.cells = null;
      return [{ kind: "row", depth: 0, text }];
    }
    default:
      return [];
  }
}

/** The text a token carries; null for one that only opens or closes something. */
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
