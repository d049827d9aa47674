import MarkdownIt, { type Token } from "markdown-it";
import { DocumentFault } from "./fault";

/** One block of a document in reading order: what a chunk may be cut between. */
export interface Block {
  kind: "heading" | "paragraph" | "item" | "row";
  /** Of a heading, from 1; else 0. */
  depth: number;
  text: string;
}

/** How a PDF, a ZIP (such as a Word file) and a web page begin: they may well be valid UTF-8. */
const OTHER_MAGIC = ["%PDF-", "PK\u0003\u0004"];
const WEB_PAGE = /^\s*<(?:!doctype\s+html|html[\s>])/i;

// Raw HTML is taken for text and dropped below; links need no validation, because only their text is kept.
const markdown = new MarkdownIt({ html: true, maxNesting: 50 });

/** Whether a name or the text itself says Markdown. */
export function isMarkdown(name: string | null, text: string): boolean {
  return /\.(md|markdown|mdown)$/i.test(name ?? "") || /^#{1,6} \S/m.test(text);
}

/** The text of a file. Throws unsupported_format when its bytes are not UTF-8 text, or begin as another format. */
export function decodeText(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0") && !isOtherFormat(text)) {
      return text.replace(/\r\n?/g, "\n");
    }
  } catch {
    // Falls through to the same sentence: what is not text cannot be read as text.
  }
  throw new DocumentFault(
    "unsupported_format",
    "The file is neither plain text nor Markdown in UTF-8. Convert it to one of them and upload that.",
  );
}

function isOtherFormat(text: string): boolean {
  return OTHER_MAGIC.some((magic) => text.startsWith(magic)) || WEB_PAGE.test(text);
}

/** Blocks of a plain text: paragraphs stand between blank lines. */
export function parsePlain(text: string): Block[] {
  return text
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map((paragraph) => ({ kind: "paragraph", depth: 0, text: paragraph }));
}

/** Blocks of a Markdown text (CommonMark with tables), without its marks. */
export function parseMarkdown(text: string): Block[] {
  const withoutFrontMatter = text.replace(/^---\n[\s\S]*?\n---\n/, "");
  return readBlocks(markdown.parse(withoutFrontMatter, {})).filter((block) => block.text);
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
